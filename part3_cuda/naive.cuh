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
template <typename T>
struct Body {
  T mass;
  T qx, qy, qz;  // position
  T vx, vy, vz;  // velocity
  T ax, ay, az;  // acceleration
};

// Eq. 1-3. One thread for each body i; each runs the loop over j.
template <typename T>
__global__ void accelerations(Body<T>* bodies, std::size_t n, T G, T softening) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T ax = T(0), ay = T(0), az = T(0);
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const T dx = bodies[j].qx - bodies[i].qx;
      const T dy = bodies[j].qy - bodies[i].qy;
      const T dz = bodies[j].qz - bodies[i].qz;
      const T r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const T inverse_r = T(1) / sqrt(r2);
      const T pull = bodies[j].mass * inverse_r * inverse_r * inverse_r;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
  }
  bodies[i].ax = G * ax;
  bodies[i].ay = G * ay;
  bodies[i].az = G * az;
}

template <typename T>
__device__ T length(T x, T y, T z) {
  return sqrt(x * x + y * y + z * z);
}

// Eq. 7: the time in which body i moves 10 % of the way to its nearest neighbour.
template <typename T>
__global__ void time_steps(const Body<T>* bodies, std::size_t n, T infinity, T* steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T nearest2 = infinity;
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const T dx = bodies[j].qx - bodies[i].qx;
      const T dy = bodies[j].qy - bodies[i].qy;
      const T dz = bodies[j].qz - bodies[i].qz;
      const T distance2 = dx * dx + dy * dy + dz * dz;
      if (distance2 < nearest2) nearest2 = distance2;
    }
  }
  const T nearest = sqrt(nearest2);
  const T v = length(bodies[i].vx, bodies[i].vy, bodies[i].vz);
  const T a = length(bodies[i].ax, bodies[i].ay, bodies[i].az);
  steps[i] = T(0.2) * nearest / (v + sqrt(v * v + T(0.2) * a * nearest));
}

// Eq. 5 with the old velocity, then Eq. 4.
template <typename T>
__global__ void update(Body<T>* bodies, std::size_t n, T dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body<T>& body = bodies[i];
  body.qx += body.vx * dt + body.ax * dt * dt / T(2);
  body.qy += body.vy * dt + body.ay * dt * dt / T(2);
  body.qz += body.vz * dt + body.az * dt * dt / T(2);
  body.vx += body.ax * dt;
  body.vy += body.ay * dt;
  body.vz += body.az * dt;
}

// The first port: the loop over i has become threads, and every function brings the bodies to the
// GPU and back. Correct, readable, slow: the baseline of part 3. Never edited; your own version
// goes into mine.cuh.
template <typename T>
class Naive : public Simulator<T> {
 public:
  // Of --block; the first is taken without it.
  static constexpr std::array block_sizes = {256u, 16u, 32u, 64u, 128u, 512u, 1024u};

  explicit Naive(const Problem<T>& problem)
      : G(problem.G),
        softening(problem.softening),
        block(problem.tuning.block),
        bodies(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = {from.mass[i], from.qx[i], from.qy[i], from.qz[i], from.vx[i],
                   from.vy[i],   from.vz[i], T(0),       T(0),       T(0)};
    }
  }

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    DeviceArray<Body<T>> on_device(bodies);
    timed("accelerations", [&] {
      accelerations<<<blocks_for(n, block), block>>>(on_device.data(), n, G, softening);
    });
    on_device.copy_to(bodies);
  }

  T largest_time_step() override {
    const std::size_t n = bodies.size();
    const DeviceArray<Body<T>> on_device(bodies);
    DeviceArray<T> steps(n);
    timed("time_steps", [&] {
      time_steps<<<blocks_for(n, block), block>>>(on_device.data(), n,
                                                  std::numeric_limits<T>::infinity(), steps.data());
    });
    return smallest(steps);
  }

  void update_bodies(T dt) override {
    const std::size_t n = bodies.size();
    DeviceArray<Body<T>> on_device(bodies);
    timed("update", [&] { update<<<blocks_for(n, block), block>>>(on_device.data(), n, dt); });
    on_device.copy_to(bodies);
  }

  void copy_state(Bodies<T>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].qx;
      state.qy[i] = bodies[i].qy;
      state.qz[i] = bodies[i].qz;
      state.vx[i] = bodies[i].vx;
      state.vy[i] = bodies[i].vy;
      state.vz[i] = bodies[i].vz;
    }
  }

  void copy_accelerations(Vectors<T>& accelerations) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].ax;
      accelerations.y[i] = bodies[i].ay;
      accelerations.z[i] = bodies[i].az;
    }
  }

 protected:
  T G;
  T softening;
  unsigned block;  // threads of a block
  std::vector<Body<T>> bodies;
};

}  // namespace nbody
