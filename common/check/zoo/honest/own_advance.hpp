#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "check/zoo/plain.hpp"

namespace nbody {

// Its own time loop, as on a GPU: the state stays inside for all steps, and update and time step
// are part of the loop.
class OwnAdvance : public Plain {
 public:
  using Plain::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    double time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      real smallest = std::numeric_limits<real>::infinity();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        set_acceleration(i, acceleration_of(i));
        if (rule.adaptive && bodies.size() > 1) smallest = std::min(smallest, time_step_of(i));
      }
      const double largest = static_cast<double>(smallest);
      const double dt = std::isfinite(largest) ? std::max(largest, rule.dt_floor) : rule.dt;
      update_bodies(real(dt));
      time += dt;
    }
    return time;
  }
};

}  // namespace nbody
