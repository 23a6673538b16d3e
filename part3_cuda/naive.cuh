#pragma once

#include <array>
#include <limits>
#include <vector>

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/smallest.cuh"
#include "simulator/simulator.hpp"

namespace nbody {

// The bodies of part 1: an array of structures.
struct Body {
  real mass;
  real qx, qy, qz;  // position
  real vx, vy, vz;  // velocity
  real ax, ay, az;  // acceleration
};

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
      const real pull = bodies[j].mass * inverse_r * inverse_r * inverse_r;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
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
      const real pull = bodies[j].mass / (r2 * sqrt(r2));
      const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      jx += pull * (dvx - approach * dx);
      jy += pull * (dvy - approach * dy);
      jz += pull * (dvz - approach * dz);
    }
  }
  bodies[i].ax = G * ax;
  bodies[i].ay = G * ay;
  bodies[i].az = G * az;
  jerk[3 * i] = G * jx;
  jerk[3 * i + 1] = G * jy;
  jerk[3 * i + 2] = G * jz;
}

// The first port to a GPU: each i is a thread, and every function copies the bodies to the GPU and
// back. Correct, readable, slow: the baseline of part 3. Do not edit it; your own version goes into
// mine.cuh.
class Naive : public Simulator {
 public:
  // Values of --block; the first is the default.
  static constexpr std::array block_sizes = {256u, 16u, 32u, 64u, 128u, 512u, 1024u};

  explicit Naive(const Problem& problem)
      : G(problem.G),
        softening(problem.softening),
        block(problem.tuning.block),
        bodies(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = {from.mass[i], from.qx[i], from.qy[i], from.qz[i], from.vx[i],
                   from.vy[i],   from.vz[i], 0,          0,          0};
    }
  }

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
    for (std::size_t i = 0; i < n; ++i) {
      a.x[i] = moved[i].ax;
      a.y[i] = moved[i].ay;
      a.z[i] = moved[i].az;
      jerk.x[i] = found[3 * i];
      jerk.y[i] = found[3 * i + 1];
      jerk.z[i] = found[3 * i + 2];
    }
  }

  void copy_state(Bodies<real>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].qx;
      state.qy[i] = bodies[i].qy;
      state.qz[i] = bodies[i].qz;
      state.vx[i] = bodies[i].vx;
      state.vy[i] = bodies[i].vy;
      state.vz[i] = bodies[i].vz;
    }
  }

  void copy_accelerations(Vectors<real>& accelerations) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].ax;
      accelerations.y[i] = bodies[i].ay;
      accelerations.z[i] = bodies[i].az;
    }
  }

 protected:
  real G;
  real softening;
  unsigned block;  // threads per block
  std::vector<Body> bodies;
};

}  // namespace nbody
