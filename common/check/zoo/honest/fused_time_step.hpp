#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// The nearest neighbours are found while the accelerations are computed, and kept for the time
// step.
class FusedTimeStep : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    nearest2.assign(bodies.size(), std::numeric_limits<real>::infinity());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Triple sum;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (j == i) continue;
        const Triple d = offset(i, j);
        nearest2[i] = std::min(nearest2[i], d.x * d.x + d.y * d.y + d.z * d.z);
        sum += pull(i, j);
      }
      set_acceleration(i, sum);
    }
  }

 protected:
  real time_step_of(std::size_t i) const override {
    return time_to_cover(real(0.1) * std::sqrt(nearest2[i]), i);
  }

 private:
  std::vector<real> nearest2;
};

}  // namespace nbody
