// Problem: none; this is openmp as many write it first.
// Idea: each thread adds up in an element of its own, sums[thread]. No two threads share a number.
// Predicted: 0.5 x on two threads, no faster than one of them; 1 x on one.
// Measured: 0.138 x on two threads, 0.73 x on one.
// Why: a Sum has 16 bytes, so those of four threads lie in one cache line of 64, and only one core
// at a time can write to a line: it goes back and forth. Neither core reads what the other has
// written, yet both wait. The sums are right: only a clock shows it.
// Either change ends it: `struct alignas(64) Sum`, a line for each thread; or a local `Sum own`,
// which stays in registers: one thread alone is slower, too, since its sums go through memory.
#pragma once

#include <omp.h>

#include "../03_fused.hpp"
#include "simulator/threads.hpp"

namespace nbody {

class FalseSharing : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    std::vector<Sum> sums(threads_in_use());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      Sum& own = sums[omp_get_thread_num()];
      own = {0, 0, 0, std::numeric_limits<real>::infinity()};
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - qx;
          const real dy = bodies[j].qy - qy;
          const real dz = bodies[j].qz - qz;
          const real d2 = dx * dx + dy * dy + dz * dz;
          const real r2 = d2 + softening2;
          const real weight = bodies[j].mass / (r2 * std::sqrt(r2));
          own.ax += weight * dx;
          own.ay += weight * dy;
          own.az += weight * dz;
          if (d2 < own.nearest2) own.nearest2 = d2;
        }
      }
      bodies[i].ax = G * own.ax;
      bodies[i].ay = G * own.ay;
      bodies[i].az = G * own.az;
      nearest2[i] = own.nearest2;
    }
  }

 private:
  struct Sum {
    real ax, ay, az, nearest2;
  };
};

}  // namespace nbody
