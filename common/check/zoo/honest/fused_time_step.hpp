#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// The nearest neighbours are found on the way, while the accelerations are computed, and kept for
// the time step.
template <typename T>
class FusedTimeStep : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    nearest2.assign(bodies.size(), std::numeric_limits<T>::infinity());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Triple<T> sum;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (j == i) continue;
        const Triple<T> d = offset(i, j);
        nearest2[i] = std::min(nearest2[i], d.x * d.x + d.y * d.y + d.z * d.z);
        sum += pull(i, j);
      }
      set_acceleration(i, sum);
    }
  }

 protected:
  using Plain<T>::bodies;
  using Plain<T>::offset;
  using Plain<T>::pull;
  using Plain<T>::set_acceleration;
  using Plain<T>::time_to_cover;

  T time_step_of(std::size_t i) const override {
    return time_to_cover(T(0.1) * std::sqrt(nearest2[i]), i);
  }

 private:
  std::vector<T> nearest2;
};

}  // namespace nbody
