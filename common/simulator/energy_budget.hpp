#pragma once

#include <cstddef>

#include "machine/clock.hpp"

namespace nbody {

// Nothing that visits all pairs is summed along the way above this N: it costs as much as an
// iteration in double.
inline constexpr std::size_t largest_n_for_energy = 16384;

// Says when an energy can be afforded: as long as that costs at most a tenth of a run.
class EnergyBudget {
 public:
  void earn(double seconds) { since_s_ += seconds; }
  bool suffices() const { return since_s_ >= 10 * cost_s_; }

  template <typename Sum>
  void spend(Sum sum) {
    const double start = machine::seconds_now();
    sum();
    cost_s_ = machine::seconds_now() - start;
    since_s_ = 0;
  }

 private:
  double cost_s_ = 0, since_s_ = 0;
};

}  // namespace nbody
