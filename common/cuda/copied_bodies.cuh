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

// Eq. 1-3 and 8, only for the Hermite integrator; the accelerations go into the bodies.
__global__ void accelerations_and_jerks(Body* bodies, std::size_t n, real G, real softening,
                                        real* jerk) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const real dx = bodies[j].qx - bodies[i].qx, dvx = bodies[j].vx - bodies[i].vx;
      const real dy = bodies[j].qy - bodies[i].qy, dvy = bodies[j].vy - bodies[i].vy;
      const real dz = bodies[j].qz - bodies[i].qz, dvz = bodies[j].vz - bodies[i].vz;
      const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const real weight = bodies[j].mass / (r2 * sqrt(r2));
      const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
      jx += weight * (dvx - approach * dx);
      jy += weight * (dvy - approach * dy);
      jz += weight * (dvz - approach * dz);
    }
  }
  bodies[i].ax = G * ax;
  bodies[i].ay = G * ay;
  bodies[i].az = G * az;
  jerk[3 * i] = G * jx;
  jerk[3 * i + 1] = G * jy;
  jerk[3 * i + 2] = G * jz;
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

  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const std::size_t n = bodies.size();
    DeviceArray<Body> on_device(bodies);
    DeviceArray<real> jerks(3 * n);
    timed("accelerations, jerks", [&] {
      accelerations_and_jerks<<<blocks_for(n, block), block>>>(on_device.data(), n, G, softening,
                                                               jerks.data());
    });
    std::vector<Body> moved;
    std::vector<real> found;
    on_device.copy_to(moved);
    jerks.copy_to(found);
    copy_accelerations_of(moved, a);
    for (std::size_t i = 0; i < n; ++i) {
      jerk.x[i] = found[3 * i];
      jerk.y[i] = found[3 * i + 1];
      jerk.z[i] = found[3 * i + 2];
    }
  }

 protected:
  unsigned block;  // threads per block
};

}  // namespace nbody
