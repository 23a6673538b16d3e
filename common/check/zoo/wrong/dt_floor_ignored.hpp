#pragma once

#include <cstdint>

#include "check/zoo/plain.hpp"

namespace nbody {

// A loop of its own forgets the floor of the adaptive step. It shows where bodies come close.
template <typename T>
class DtFloorIgnored : public Plain<T> {
 public:
  using Plain<T>::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    return Plain<T>::advance(steps, {rule.adaptive, rule.dt, 0});
  }
};

}  // namespace nbody
