#include <limits>
#include <utility>

#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {

using protocol::State;

// In a step, as in step_bounds.hpp.
constexpr double roundings = 6;

Run reference_run(const protocol::Request& request,
                  const std::function<void(const Run&)>& on_step) {
  const Setting& setting = request.setting;
  Bodies<double> bodies = request.bodies;
  const std::vector<double> none(bodies.size(), 0);
  Run run{state_of(bodies), {}, none, none};
  double time = 0;
  for (std::uint64_t step = 0; step < request.steps; ++step) {
    const Reference reference = reference_accelerations(bodies, setting.G, setting.softening);
    const Vectors<double>& a = reference.acceleration;
    const double dt = request.adaptive ? reference_adaptive_step(bodies, a, setting) : setting.dt;
    reference_update(bodies, a, dt);
    time += dt;
    const State before = std::exchange(run.end, state_of(bodies, time));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      run.path[i] += distance(run.end.position, before.position, i);
      run.pulled[i] += reference.magnitude[i] * dt;
    }
    run.steps.push_back(dt);
    on_step(run);
  }
  return run;
}

double miss_of(const State& got, const Run& run, double digits) {
  double largest = 0;
  const auto note = [&](const Vectors<double>& is, const Vectors<double>& should, std::size_t i,
                        double way) {
    const double miss = distance(is, should, i);
    const double rounding =
        roundings * digits * length(should, i) * static_cast<double>(run.steps.size());
    const double share = miss <= rounding ? 0 : (miss - rounding) / way;
    if (!(share <= largest))
      largest = is_finite(share) ? share : std::numeric_limits<double>::infinity();
  };
  for (std::size_t i = 0; i < run.path.size(); ++i) {
    note(got.position, run.end.position, i, run.path[i]);
    note(got.velocity, run.end.velocity, i, run.pulled[i]);
  }
  return largest;
}

}  // namespace nbody::check
