#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Each pair is evaluated once and gives both accelerations.
class ThirdLaw : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    clear_accelerations();
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
