#pragma once

#include <functional>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody::check {

// Where steps in one go should end.
struct Run {
  protocol::State end;
  std::vector<double> steps;   // of each step
  std::vector<double> path;    // of each body, m
  std::vector<double> pulled;  // the sum of all pulls on it times dt, m/s
};
// on_step is called after each step with the run so far.
Run reference_run(
    const protocol::Request& request,
    const std::function<void(const Run&)>& on_step = [](const Run&) {});

}  // namespace nbody::check
