#pragma once

#include <cstdint>

#include "bench/timing.hpp"
#include "protocol/session.hpp"

namespace nbody {

// Seconds of a step by t(2K) - t(K); 0 when that does not fit what 2K steps took in all: one of the
// two was disturbed, and their difference is no time at all.
double step_seconds(double once, double twice, std::uint64_t steps);

// One program under one plan, measured a round at a time by whoever decides about the order.
class Runner {
 public:
  Runner(const TimedProgram& program, const TimingPlan& plan);  // the plan must outlive it

  // Also the warm-up: doubles K until K steps take long enough to be measured.
  void choose_steps();
  // Seconds of a step; 0 if the machine was too busy to tell, four times over, or after a fault.
  double measure();
  // Statistics of the rounds, and the error at the end of what was timed last.
  Timing finish();

  const std::string& name() const { return result_.name; }
  const std::string& fault() const { return result_.fault; }

 private:
  double seconds_for(std::uint64_t steps);
  void check_what_was_timed();

  const TimingPlan& plan_;
  Session session_;
  std::uint64_t steps_ = 1;
  Answer last_;
  Timing result_;
};

}  // namespace nbody
