#pragma once

#include "check/manifest.hpp"
#include "protocol/session.hpp"
#include "simulator/command_line.hpp"
#include "simulator/energy_budget.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// One implementation that moves a scene: its program is asked for some steps at a time, starting
// from its last answer. Use it only from one thread, like a Session.
class Simulated {
 public:
  // When the energy is summed: if it is cheap, or after every answer, so that a film always shows
  // the same numbers.
  enum class Energy { when_cheap, always };

  Simulated(const check::ProgramEntry& program, const Scene& scene, const Options& options,
            Energy energy);

  Shown begin(bool want_accelerations);
  // Throws SessionError.
  Shown advance(std::uint64_t steps, bool want_accelerations);
  // Seconds that the last answer took.
  double answer_seconds() const { return session_.answer_seconds(); }

 private:
  bool sums_energy() const;
  double energy() const;
  void take(const protocol::State& state);
  void sum_energy(double spent_s);

  protocol::Session session_;
  protocol::Request request_;
  Snapshot now_;
  const std::uint64_t iterations_;
  const Energy when_;
  double energy_at_start_ = 0;
  EnergyBudget energy_budget_;
};

}  // namespace nbody::view
