#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"
#include "core/units.hpp"

// Lengths of a step that its setting, or Eq. 7, does not give.

namespace nbody::check {
namespace {

// Eq. 7 of body i, with `part` of the distance to a neighbour (0.1 in Eq. 7).
double step_of(const WrongLength& step, const Bodies<double>& b, std::size_t i, double distance,
               double part = 0.1) {
  if (distance == 0) return 0;
  const double v = length(b.vx[i], b.vy[i], b.vz[i]), a = length(step.acceleration, i);
  return 2 * part * distance / (v + std::sqrt(v * v + 2 * part * a * distance));
}

// Of all bodies.
std::vector<double> steps_of(const WrongLength& step, const Bodies<double>& bodies,
                             const std::vector<double>& nearest, double part = 0.1) {
  std::vector<double> steps;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    steps.push_back(step_of(step, bodies, i, nearest[i], part));
  }
  return steps;
}

// Is it Eq. 7 with another part of the way?
std::optional<Hypothesis> another_share(const WrongLength& step, const Bodies<double>& bodies,
                                        const std::vector<double>& nearest) {
  for (const double part : {0.05, 0.2, 0.5, 1.0}) {
    const std::vector<double> steps = steps_of(step, bodies, nearest, part);
    const double smallest = *std::min_element(steps.begin(), steps.end());
    if (!(std::abs(step.got / smallest - 1) <= adaptive_limit)) continue;
    return Hypothesis{
        {"share", fmt::format("the step takes {:.0f} % of the way to the nearest neighbour: Eq. 7 "
                              "uses 10 %",
                              100 * part)}};
  }
  return std::nullopt;
}

// 1, 2 or 5 with zeros: a number that somebody has typed.
bool is_round(double value) {
  for (const double digit : {1.0, 2.0, 5.0}) {
    const double power = std::log10(value / digit);
    if (std::abs(power - std::round(power)) < 1e-6) return true;
  }
  return false;
}

// Is it the step of a body that does not decide?
std::optional<Hypothesis> of_another_body(double got, const std::vector<double>& steps,
                                          std::size_t decides) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!(std::abs(got / steps[i] - 1) <= adaptive_limit)) continue;
    return Hypothesis{
        {"another_body_step",
         fmt::format("the step is that of body {}, but body {} allows less: is it, or "
                     "its nearest neighbour, left out?",
                     i, decides)}};
  }
  return std::nullopt;
}

// Does the body that decides take another one for its nearest neighbour?
std::optional<Hypothesis> to_another_neighbour(const WrongLength& step,
                                               const Bodies<double>& bodies, std::size_t decides) {
  constexpr std::size_t tried = 16;  // of more, one would fit by chance
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j != decides) others.emplace_back(distance(bodies, decides, j), j);
  }
  const std::size_t some = std::min(tried, others.size());
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(some),
                    others.end());
  for (std::size_t k = 1; k < some; ++k) {
    const auto& [taken, neighbour] = others[k];
    const double allowed = step_of(step, bodies, decides, taken);
    if (!(std::abs(step.got / allowed - 1) <= adaptive_limit)) continue;
    return Hypothesis{
        {"missed_neighbour",
         fmt::format("the step is what body {} allows by its distance to body {}, but body {} is "
                     "nearer: is it missed in the search?",
                     decides, neighbour, others.front().second)}};
  }
  return std::nullopt;
}

std::vector<double> distances_to_nearest(const Bodies<double>& bodies) {
  std::vector<double> nearest(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    nearest[i] = distance(bodies, i, nearest_to(bodies, i));
  }
  return nearest;
}

// No step is longer than a constant, which is smaller than what Eq. 7 allows.
bool is_cut_by_a_constant(const WrongLength& step) {
  const Setting& setting = step.test.request.setting;
  const Units units = Units::for_bodies(step.test.request.bodies, setting.G);
  // Below the floor, a constant does not show.
  const bool at_floor = std::abs(step.got / setting.dt_floor - 1) < 1e-6;
  return step.got < step.expected && (at_floor || is_round(units.to_time(step.got)));
}

}  // namespace

Hypotheses fitted_length(const WrongLength& step) {
  const Request& request = step.test.request;
  if (!request.adaptive) {
    return {
        {{"time", fmt::format("a step of {} s took {} s: the time returned by advance() is wrong",
                              step.expected, step.got)}}};
  }
  const Bodies<double> bodies = bodies_in(request.bodies, step.before);
  if (bodies.size() == 1)
    return {{{"single", "a single body has no largest step: use the fixed dt"}}};
  Hypotheses found;
  if (step.moves_as_expected) {
    found.push_back(
        {{"time", "the bodies move by the right step, but advance() returns another time"}});
  }
  const std::vector<double> nearest = distances_to_nearest(bodies);
  if (const auto share = another_share(step, bodies, nearest)) found.push_back(*share);
  if (is_cut_by_a_constant(step)) {
    found.push_back({{"constant_step",
                      "no adaptive step is longer than a constant: the minimum over all bodies "
                      "starts at infinity"}});
  }
  const std::vector<double> allowed = steps_of(step, bodies, nearest);
  const auto decides =
      static_cast<std::size_t>(std::min_element(allowed.begin(), allowed.end()) - allowed.begin());
  if (const auto other = of_another_body(step.got, allowed, decides)) found.push_back(*other);
  if (const auto other = to_another_neighbour(step, bodies, decides)) found.push_back(*other);
  found.push_back({{"ratio", fmt::format("the step is {:.6g} times the largest that Eq. 7 allows",
                                         step.got / step.expected)},
                   Reach::fallback});
  return found;
}

}  // namespace nbody::check
