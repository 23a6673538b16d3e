#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "check/tolerance.hpp"
#include "protocol/messages.hpp"

namespace nbody::check {

// Every step fits some dt, but not the returned one.
inline constexpr const char* other_step_text =
    "the bodies do not move by the step that advance() returns: Eq. 4 and 5 with another dt?";

// A wrong step and the states around it.
struct WrongStep {
  const Scene& scene;                          // before the first step
  const std::vector<protocol::State>& states;  // after each step
  std::uint64_t step;                          // counted from 0
};

// The kind of mistake that gives exactly this step; empty if none fits or nothing is wrong.
std::string diagnose_step(const WrongStep& wrong, double dt, const Tolerance& tolerance);

}  // namespace nbody::check
