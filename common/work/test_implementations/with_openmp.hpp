#pragma once

#include <omp.h>

#include "small.hpp"

namespace nbody {

// OpenMP as students use it: per-thread sums, a reduction, atomic additions. Unless pragmas are
// ignored, the last two do not compile for another number type.
class WithOpenmp : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    std::vector<real> sums(static_cast<std::size_t>(omp_get_max_threads()) * 3 * n);
    real total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (std::size_t i = 0; i < n; ++i) {
      Target pulled = target(i);
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) add(pulled, j);
      }
      total += pulled.ax;
#pragma omp atomic
      sums[3 * i] += pulled.ax;
#pragma omp atomic
      sums[3 * i + 1] += pulled.ay;
#pragma omp atomic
      sums[3 * i + 2] += pulled.az;
    }
    for (std::size_t i = 0; i < n; ++i) {
      acceleration.x[i] = G * sums[3 * i];
      acceleration.y[i] = G * sums[3 * i + 1];
      acceleration.z[i] = G * sums[3 * i + 2];
    }
  }
};

}  // namespace nbody
