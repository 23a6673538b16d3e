#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Third law with threads that all add to the same accelerations: updates are lost, different ones
// in each run. Right with one thread.
class DataRace : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    clear_accelerations();
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const Triple f = field(i, j);
        add_acceleration(i, f * bodies.mass[j]);
        add_acceleration(j, f * -bodies.mass[i]);
      }
    }
  }
};

}  // namespace nbody
