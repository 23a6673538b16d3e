#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"

// Steps by the right formula that are wrong for some bodies, or return the wrong time.

namespace nbody::check {
namespace {

constexpr std::size_t widest_loop = 64;  // bodies at a time

std::vector<std::size_t> wrong_bodies(const Motion& m) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < m.magnitude.size(); ++i) {
    const StepError error =
        body_error(m.expected, i, m.after, i, m.magnitude[i], m.dt, m.tolerance, m.roundings);
    if (!(error.max <= 1)) wrong.push_back(i);
  }
  return wrong;
}

// Each of them is where another one should be.
bool in_each_others_place(const Motion& m, const std::vector<std::size_t>& wrong) {
  return wrong.size() > 1 && std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
           return std::any_of(wrong.begin(), wrong.end(), [&](std::size_t j) {
             return body_error(m.expected, j, m.after, i, m.magnitude[j], m.dt, m.tolerance,
                               m.roundings)
                        .max <= 1;
           });
         });
}

// None of the bodies from `first` on has another place, or another velocity, than before.
bool stays(const Vectors<double>& before, const Vectors<double>& after, std::size_t first) {
  return std::all_of(std::begin(axes), std::end(axes), [&](const auto axis) {
    const auto from = static_cast<std::ptrdiff_t>(first);
    return std::equal((before.*axis).begin() + from, (before.*axis).end(),
                      (after.*axis).begin() + from);
  });
}

// What is wrong with the bodies from `first` on.
std::string about_tail(const Motion& m, std::size_t first, const Scheme& scheme) {
  const bool in_place = stays(m.before.position, m.after.position, first);
  const bool same_speed = stays(m.before.velocity, m.after.velocity, first);
  const bool by_equations = &scheme == &schemes().front();
  const bool by_moves = !by_equations && !scheme.sequence.empty() && !scheme.needs_jerk();
  const char* all = by_moves ? "kick() or drift()" : by_equations ? "update_bodies()" : "a loop";
  if (!in_place && !same_speed) {
    return fmt::format(
        "only the bodies from index {} on are moved wrongly: a tail that {} treats differently, or "
        "whose forces are wrong in a step?",
        first, all);
  }
  const char* what = !in_place     ? "keep their velocity"
                     : !same_speed ? "keep their place"
                                   : "do not move";
  const char* mover = !by_moves || (in_place && same_speed) ? all : in_place ? "drift()" : "kick()";
  return fmt::format(
      "bodies from index {} on {}: a tail that {} skips, or an array that ends there?", first, what,
      mover);
}

// The sum of that many steps in float, for steps of any unit.
double sum_in_float(double dt, std::uint64_t steps) {
  int exponent = 0;
  const auto step = static_cast<float>(std::frexp(dt, &exponent));
  float time = 0;
  for (std::uint64_t k = 0; k < steps; ++k) time += step;
  return std::ldexp(static_cast<double>(time), exponent);
}

// The bodies are where they should be.
Hypotheses wrong_time(const Case& test, double got) {
  const Request& request = test.request;
  const double right = test.run().end.time;
  const auto is = [&](double time, double limit) { return std::abs(got / time - 1) <= limit; };
  if (request.adaptive || is(right, time_limit)) return {};
  if (is(sum_in_float(request.setting.dt, request.steps), 1e-8)) {
    return {{{"time_in_float",
              "the time returned by advance() is added up in float, which loses digits in each "
              "step: use double, or multiply dt by the number of steps"}}};
  }
  return {{{"time", fmt::format("the bodies move by the right steps, but advance() returns another "
                                "time: {:.7g} s instead of {:.7g} s",
                                got, right)}}};
}

// Either the places or the velocities are right.
Hypotheses wrong_half(const Case& test, const State& end, double digits) {
  const auto is_right = [&](const State& state) {
    return miss_of(state, test.run(), digits) <= path_limit;
  };
  const auto says = [&](const char* mistake, const char* right, const char* wrong,
                        const char* move) -> Hypotheses {
    return {{{mistake, fmt::format("after {} steps in one go the {} are right, the {} are not: is "
                                   "the last {} missing, or made twice?",
                                   test.request.steps, right, wrong, move)},
             Reach::fallback}};
  };
  State other = end;
  other.velocity = test.run().end.velocity;
  if (is_right(other)) return says("last_kick", "places", "velocities", "kick");
  other = end;
  other.position = test.run().end.position;
  if (is_right(other)) return says("last_drift", "velocities", "places", "drift");
  return {};
}

}  // namespace

Hypotheses fitted_bodies(const Motion& motion, const Scheme& scheme) {
  const std::vector<std::size_t> wrong = wrong_bodies(motion);
  if (wrong.empty()) return {};
  if (in_each_others_place(motion, wrong)) {
    return {{{"order_of_bodies",
              fmt::format("{} bodies are where others of them should be: are they sorted again in "
                          "each step? Their new order counts from the sorted ones, not from those "
                          "that were sent",
                          wrong.size())}}};
  }
  const std::size_t n = motion.magnitude.size(), first = wrong.front();
  const bool some_stay = stays(motion.before.position, motion.after.position, first) ||
                         stays(motion.before.velocity, motion.after.velocity, first);
  // A heavy body among them may be right by itself, since hardly anything moves it.
  if (n - first != wrong.size() && !some_stay) return {};
  // With fewer bodies than a loop takes at a time, all of them are the tail. With more, all of them
  // are none, though a first one that is too heavy to move is right by itself.
  if (first < 2 && n > widest_loop) return {};
  return {
      {{some_stay ? "tail_stays" : "tail", first < 2 ? "" : about_tail(motion, first, scheme)}}};
}

Hypotheses fitted_scheme_mistakes(const Case& test, const Answer& answer,
                                  const Tolerance& tolerance) {
  const Request& request = test.request;
  if (!request.every_state || answer.states.empty()) return {};
  const State before = state_of(request.bodies);
  const State& after = answer.states.front();
  Integration<double> run = reference_integration(request);
  run.advance(1, {false, after.time, 0});
  Bodies<double> place = request.bodies;
  run.simulator().copy_state(place);
  const Setting& setting = request.setting;
  const std::vector<double> magnitude =
      reference_accelerations(request.bodies, setting.G, setting.softening).magnitude;
  return fitted_bodies({before, state_of(place), after, magnitude, after.time, tolerance,
                        fit_roundings * integrator_roundings},
                       scheme_named(setting.integrator));
}

Hypotheses fitted_runs(const Case& test, const Answer& answer, const Tolerance& tolerance) {
  const State& end = answer.states.back();
  std::size_t made = 0;
  reference_run(test.request, [&](const Run& so_far) {
    if (miss_of(end, so_far, tolerance.digits) <= path_limit) made = so_far.steps.size();
  });
  if (made == 0) return wrong_half(test, end, tolerance.digits);
  if (made == test.request.steps) return wrong_time(test, end.time);
  return {{{"steps_made", fmt::format("only {} of {} steps in one go are made: the rest is lost",
                                      made, test.request.steps)}}};
}

}  // namespace nbody::check
