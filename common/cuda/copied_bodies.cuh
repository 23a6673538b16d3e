#pragma once

#include <vector>

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "simulator/array_of_bodies.hpp"

namespace nbody {

// The bodies of part 1: an array of structures.
using Body = ArrayOfBodies::Body;

// v += a dt, and q += v dt: the two steps of other integrators.
__global__ void kick_bodies(Body* bodies, std::size_t n, real dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bodies[i].vx += bodies[i].ax * dt;
  bodies[i].vy += bodies[i].ay * dt;
  bodies[i].vz += bodies[i].az * dt;
}
__global__ void drift_bodies(Body* bodies, std::size_t n, real dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bodies[i].qx += bodies[i].vx * dt;
  bodies[i].qy += bodies[i].vy * dt;
  bodies[i].qz += bodies[i].vz * dt;
}

// The host's work for part 3's naive: the bodies stay on the host, and each function copies them to
// the GPU and back. For another layout of the data see docs/using_the_lab.md.
class CopiedBodies : public ArrayOfBodies {
 public:
  explicit CopiedBodies(const Problem& problem)
      : ArrayOfBodies(problem), block(problem.tuning.block) {}

  void kick(real dt) override {
    const std::size_t n = bodies.size();
    DeviceArray<Body> on_device(bodies);
    timed("kick", [&] { kick_bodies<<<blocks_for(n, block), block>>>(on_device.data(), n, dt); });
    on_device.copy_to(bodies);
  }

  void drift(real dt) override {
    const std::size_t n = bodies.size();
    DeviceArray<Body> on_device(bodies);
    timed("drift", [&] { drift_bodies<<<blocks_for(n, block), block>>>(on_device.data(), n, dt); });
    on_device.copy_to(bodies);
  }

 protected:
  unsigned block;  // threads per block
};

}  // namespace nbody
