#pragma once

#include <array>
#include <limits>

#include "cuda/copied_bodies.cuh"
#include "cuda/smallest.cuh"

namespace nbody {

// Eq. 1-3. One thread for each body i; each runs the loop over j.
__global__ void accelerations(Body* bodies, std::size_t n, real G, real softening) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real ax = 0, ay = 0, az = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const real dx = bodies[j].qx - bodies[i].qx;
      const real dy = bodies[j].qy - bodies[i].qy;
      const real dz = bodies[j].qz - bodies[i].qz;
      const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const real inverse_r = 1 / sqrt(r2);
      const real weight = bodies[j].mass * inverse_r * inverse_r * inverse_r;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
    }
  }
  bodies[i].ax = G * ax;
  bodies[i].ay = G * ay;
  bodies[i].az = G * az;
}

__device__ real length(real x, real y, real z) { return sqrt(x * x + y * y + z * z); }

// Eq. 7: the time in which body i moves 10 % of the way to its nearest neighbour.
__global__ void time_steps(const Body* bodies, std::size_t n, real infinity, real* steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real nearest2 = infinity;
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const real dx = bodies[j].qx - bodies[i].qx;
      const real dy = bodies[j].qy - bodies[i].qy;
      const real dz = bodies[j].qz - bodies[i].qz;
      const real distance2 = dx * dx + dy * dy + dz * dz;
      if (distance2 < nearest2) nearest2 = distance2;
    }
  }
  const real nearest = sqrt(nearest2);
  const real v = length(bodies[i].vx, bodies[i].vy, bodies[i].vz);
  const real a = length(bodies[i].ax, bodies[i].ay, bodies[i].az);
  const real dt = real(0.2) * nearest / (v + sqrt(v * v + real(0.2) * a * nearest));
  steps[i] = nearest > 0 ? dt : nearest;  // at rest, Eq. 7 is 0/0
}

// Eq. 5 with the old velocity, then Eq. 4.
__global__ void update(Body* bodies, std::size_t n, real dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body& body = bodies[i];
  body.qx += body.vx * dt + body.ax * dt * dt / 2;
  body.qy += body.vy * dt + body.ay * dt * dt / 2;
  body.qz += body.vz * dt + body.az * dt * dt / 2;
  body.vx += body.ax * dt;
  body.vy += body.ay * dt;
  body.vz += body.az * dt;
}

// The first port to a GPU: each i is a thread, and every function copies the bodies of part 1
// (copied_bodies.cuh) to the GPU and back. Correct, readable, slow: the baseline of part 3. Do not
// edit it; your own version goes into mine.cuh.
class Naive : public CopiedBodies {
 public:
  using CopiedBodies::CopiedBodies;

  // Values of --block; the first is the default.
  static constexpr std::array block_sizes = {256u, 16u, 32u, 64u, 128u, 512u, 1024u};

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    DeviceArray<Body> on_device(bodies);
    timed("accelerations", [&] {
      accelerations<<<blocks_for(n, block), block>>>(on_device.data(), n, G, softening);
    });
    on_device.copy_to(bodies);
  }

  real largest_time_step() override {
    const std::size_t n = bodies.size();
    const DeviceArray<Body> on_device(bodies);
    DeviceArray<real> steps(n);
    timed("time_steps", [&] {
      time_steps<<<blocks_for(n, block), block>>>(
          on_device.data(), n, std::numeric_limits<real>::infinity(), steps.data());
    });
    return smallest(steps);
  }

  void update_bodies(real dt) override {
    const std::size_t n = bodies.size();
    DeviceArray<Body> on_device(bodies);
    timed("update", [&] { update<<<blocks_for(n, block), block>>>(on_device.data(), n, dt); });
    on_device.copy_to(bodies);
  }
};

}  // namespace nbody
