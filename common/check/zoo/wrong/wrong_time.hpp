#pragma once

#include <cstdint>

#include "check/zoo/plain.hpp"

namespace nbody {

// A loop of its own reports steps times the fixed dt, whatever steps it took. The bodies are right.
template <typename T>
class WrongTime : public Plain<T> {
 public:
  using Plain<T>::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    Plain<T>::advance(steps, rule);
    return static_cast<double>(steps) * rule.dt;
  }
};

}  // namespace nbody
