#pragma once

#include <cstdint>

#include "check/zoo/plain.hpp"

namespace nbody {

// Many steps are made 64 at a time, and what is left over is forgotten.
template <typename T>
class LeftOverSteps : public Plain<T> {
 public:
  using Plain<T>::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    const std::uint64_t left_over = steps < 128 ? 0 : steps % 64;
    return Plain<T>::advance(steps - left_over, rule) + static_cast<double>(left_over) * rule.dt;
  }
};

}  // namespace nbody
