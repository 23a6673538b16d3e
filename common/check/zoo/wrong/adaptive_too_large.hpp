#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The adaptive step lets bodies travel 20 % of the way to their nearest neighbour instead of 10 %.
template <typename T>
class AdaptiveTooLarge : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::nearest_distance;
  using Plain<T>::time_to_cover;

  T time_step_of(std::size_t i) const override {
    return time_to_cover(T(0.2) * nearest_distance(i), i);
  }
};

}  // namespace nbody
