// Problem: does the layout matter if the compiler has every permission?
// Idea: an array of structures as in part 1, with all flags of omp_simd.
// Predicted: 0.23 x, from the bounds of both loops (./lab bound): 6 cycles for one interaction, 22
// for sixteen.
// Measured: 0.117 x.
// Why: as predicted, g++ leaves the loop scalar, since the x coordinates of neighbouring bodies are
// scattered over memory. But those bounds are a Xeon's; here omp_simd takes 15.5 cycles, not 22,
// and this loop 8.3. clang++ gathers the coordinates.
#pragma once

#include <vector>

#include "../../../part2_vectorization/naive.hpp"

namespace nbody {

class ArrayOfStructures : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    structures.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      structures[j] = {bodies.mass[j], bodies.qx[j], bodies.qy[j], bodies.qz[j],
                       bodies.vx[j],   bodies.vy[j], bodies.vz[j]};
    }
    const Body* body = structures.data();
    for (std::size_t i = 0; i < n; ++i) {
      const real x = body[i].qx, y = body[i].qy, z = body[i].qz;
      real ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = body[j].qx - x;
        const real dy = body[j].qy - y;
        const real dz = body[j].qz - z;
        const real r2 = dx * dx + dy * dy + dz * dz + softening2;
        const real weight = r2 > 0 ? body[j].mass / (r2 * std::sqrt(r2)) : 0;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
      }
      acceleration.x[i] = G * ax;
      acceleration.y[i] = G * ay;
      acceleration.z[i] = G * az;
    }
  }

 private:
  struct Body {
    real mass, qx, qy, qz, vx, vy, vz;
  };
  std::vector<Body> structures;
};

}  // namespace nbody
