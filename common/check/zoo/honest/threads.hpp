#pragma once

#include <cstddef>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// Third law with per-thread sums. The order of adding them up changes from run to run, and so do
// the last bits.
class ThreadsThirdLaw : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    clear_accelerations();
#pragma omp parallel
    {
      std::vector<Triple> own(bodies.size());
#pragma omp for schedule(static, 16) nowait
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
          const Triple f = field(i, j);
          own[i] += f * bodies.mass[j];
          own[j] += f * -bodies.mass[i];
        }
      }
#pragma omp critical
      for (std::size_t i = 0; i < own.size(); ++i) add_acceleration(i, own[i]);
    }
  }
};

}  // namespace nbody
