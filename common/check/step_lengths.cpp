#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/step_diagnosis.hpp"

namespace nbody::check {
namespace {

using Step = WrongStep;

// Eq. 7 of one body, with `part` of the distance to the nearest neighbour (0.1 in Eq. 7).
double step_of_body(const Bodies<double>& b, const Vectors<double>& acceleration, std::size_t i,
                    double part) {
  const double nearest = distance(b, i, nearest_to(b, i));
  const double v = length(b.vx[i], b.vy[i], b.vz[i]), a = length(acceleration, i);
  return 2 * part * nearest / (v + std::sqrt(v * v + 2 * part * a * nearest));
}

double smallest_step(const Bodies<double>& b, const Vectors<double>& acceleration, double part) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < b.size(); ++i) {
    smallest = std::min(smallest, step_of_body(b, acceleration, i, part));
  }
  return smallest;
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
std::optional<Hypothesis> of_another_body(const Step& step, const Bodies<double>& bodies) {
  const auto step_of = [&](std::size_t i) {
    return step_of_body(bodies, step.reference.acceleration, i, 0.1);
  };
  std::size_t decides = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (step_of(i) < step_of(decides)) decides = i;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (std::abs(step.length() / step_of(i) - 1) > adaptive_limit) continue;
    return Hypothesis{"another body's step",
                      fmt::format("the step is that of body {}, but body {} allows less: is it, or "
                                  "its nearest neighbour, left out?",
                                  i, decides)};
  }
  return std::nullopt;
}

}  // namespace

Hypotheses wrong_length(const Step& step) {
  const protocol::Request& request = step.test.request;
  const double got = step.length();
  const auto near = [&](double value) { return std::abs(got / value - 1) <= adaptive_limit; };
  if (!request.adaptive) {
    return {
        {"time", fmt::format("a step of {} s took {} s: the time returned by advance() is wrong",
                             step.expected, got)}};
  }
  const Bodies<double> bodies = bodies_in(request.bodies, step.before);
  if (bodies.size() == 1)
    return {{"single", "a single body has no largest step: use the fixed dt"}};
  Hypotheses found;
  if (step.moved_by(step.expected)) {
    found.push_back(
        {"time", "the bodies move by the right step, but advance() returns another time"});
  }
  const Vectors<double>& a = step.reference.acceleration;
  for (const double part : {0.05, 0.2, 0.5, 1.0}) {
    if (!near(smallest_step(bodies, a, part))) continue;
    found.push_back(
        {"share", fmt::format("the step takes {:.0f} % of the way to the nearest neighbour: "
                              "Eq. 7 uses 10 %",
                              100 * part)});
  }
  const Units units = Units::for_bodies(request.bodies, request.setting.G);
  // Below the floor, a constant does not show.
  const bool at_floor = std::abs(got / request.setting.dt_floor - 1) < 1e-6;
  if (got < step.expected && (at_floor || is_round(units.to_time(got)))) {
    found.push_back({"constant step",
                     "no adaptive step is longer than a constant: the minimum over all bodies "
                     "starts at infinity"});
  }
  if (const auto taken = of_another_body(step, bodies)) found.push_back(*taken);
  found.push_back(
      {"ratio",
       fmt::format("the step is {:.6g} times the largest that Eq. 7 allows", got / step.expected),
       Reach::fallback});
  return found;
}

}  // namespace nbody::check
