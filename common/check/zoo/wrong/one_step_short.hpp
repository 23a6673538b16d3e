#pragma once

#include <cstdint>

#include "check/zoo/plain.hpp"

namespace nbody {

// The loop of its own runs one step short. The time reported is that of the right number as long as
// steps are fixed.
template <typename T>
class OneStepShort : public Plain<T> {
 public:
  using Plain<T>::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    if (steps == 0) return 0;
    return Plain<T>::advance(steps - 1, rule) + rule.dt;
  }
};

}  // namespace nbody
