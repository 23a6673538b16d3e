#pragma once

#include "naive.hpp"

namespace nbody {

// Eq. 4 and 5 spelled with kicks and drifts: docs/physics.md, section 9.
// For a fixed step: --vdt needs largest_time_step() in each.
class Mine : public Naive {
 public:
  using Naive::Naive;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    const real dt = static_cast<real>(rule.dt);
    compute_accelerations();
    for (std::uint64_t step = 0; step < steps; ++step) {
      kick(dt / 2);
      drift(dt);
      kick(dt / 2);
      compute_accelerations();
    }
    return static_cast<double>(steps) * rule.dt;
  }
};

}  // namespace nbody
