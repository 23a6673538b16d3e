#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/adaptive_step.hpp"
#include "check/error_measure.hpp"

namespace nbody::check {
namespace {

// Eq. 7 of one body, with `part` of the distance to the nearest neighbour (0.1 in Eq. 7).
double step_of_body(const Bodies<double>& bodies, const Vectors<double>& acceleration,
                    std::size_t i, double part, double softening = 0) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == i) continue;
    nearest = std::min(nearest, distance(bodies, i, j));
  }
  nearest = std::hypot(nearest, softening);
  const double v = length(bodies.vx[i], bodies.vy[i], bodies.vz[i]), a = length(acceleration, i);
  return 2 * part * nearest / (v + std::sqrt(v * v + 2 * part * a * nearest));
}

}  // namespace

std::string diagnose_adaptive_step(double got, double expected, const Scene& scene,
                                   const Bodies<double>& bodies,
                                   const Vectors<double>& acceleration) {
  const auto near = [&](double value) { return std::abs(got / value - 1) <= adaptive_limit; };
  if (bodies.size() == 1) return "a single body has no largest step: use the fixed dt";
  if (near(scene.setting.dt)) {
    return "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)";
  }
  if (got == 0) return "the step is 0: does a body take itself for its nearest neighbour?";
  const auto smallest = [&](double part, double softening) {
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      step = std::min(step, step_of_body(bodies, acceleration, i, part, softening));
    }
    return step;
  };
  if (scene.setting.softening > 0 && near(smallest(0.1, scene.setting.softening))) {
    return "the distance to the nearest neighbour is softened: Eq. 7 uses the distance itself";
  }
  for (const double part : {0.05, 0.2, 0.5, 1.0}) {
    if (near(smallest(part, 0))) {
      return fmt::format(
          "the step takes {:.0f} % of the way to the nearest neighbour: Eq. 7 uses "
          "10 %",
          100 * part);
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (near(step_of_body(bodies, acceleration, i, 0.1))) {
      return fmt::format("the step is that of body {} alone: Eq. 7 uses the smallest of all", i);
    }
  }
  return fmt::format("the step is {:.6g} times the largest that Eq. 7 allows", got / expected);
}

}  // namespace nbody::check
