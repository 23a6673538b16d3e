#pragma once

#include <string>

#include "check/manifest.hpp"
#include "protocol/session.hpp"
#include "simulator/command_line.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// One implementation that moves a scene: its program is asked for some steps at a time, each time
// from the state that it answered last. Use it from one thread only, as a Session.
class Simulated {
 public:
  Simulated(const ProgramEntry& program, const Scene& scene, const Options& options);

  Shown begin(bool want_accelerations);
  // Throws SessionError.
  Shown advance(std::uint64_t steps, bool want_accelerations);
  // Seconds that the last answer took.
  double answer_seconds() const { return session_.answer_seconds(); }

 private:
  double energy(const Bodies<double>& bodies) const;
  void take(const State& state);
  void sum_energy(double spent_s);

  Session session_;
  Request request_;
  Snapshot now_;
  const std::uint64_t iterations_;
  const double start_time_;
  double energy_at_start_ = 0;
  double energy_cost_s_ = 0, since_energy_s_ = 0;
};

}  // namespace nbody::view
