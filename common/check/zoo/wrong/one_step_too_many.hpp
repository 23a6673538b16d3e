#pragma once

#include <cstdint>

#include "check/zoo/plain.hpp"

namespace nbody {

// The loop of its own runs one step too many: `step <= steps`. The time reported is that of the
// right number.
template <typename T>
class OneStepTooMany : public Plain<T> {
 public:
  using Plain<T>::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    const double time = Plain<T>::advance(steps, rule);
    Plain<T>::advance(1, rule);
    return time;
  }
};

}  // namespace nbody
