#pragma once

#include <functional>
#include <vector>

#include "protocol/messages.hpp"
#include "simulator/integration.hpp"

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

// The reference, moved by the integrator that is asked for. The integrators themselves are the
// host's, so a mistake of theirs would be in both answers; integration_test judges them by their
// order.
Integration<double> reference_integration(const protocol::Request& request);

}  // namespace nbody::check
