#include <cmath>

#include "check/error_measure.hpp"
#include "check/rerun.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// The constant c for which c * expected is nearest to got.
double best_factor(const Reference& right, const Vectors<double>& got) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double weight = 1 / (right.magnitude[i] * right.magnitude[i]);
    for (const auto axis : axes) {
      const double a = (right.acceleration.*axis)[i];
      product += weight * a * (got.*axis)[i];
      square += weight * a * a;
    }
  }
  return product / square;
}

// For each axis, the one that the bodies hold on it.
double best_axes(const Reference& right, const Vectors<double>& got) {
  double code = 0, place = 1;
  for (std::size_t axis = 0; axis < 3; ++axis, place *= 7) {
    double misses[7] = {};  // of 0, x, y, z, -x, -y, -z
    for (std::size_t i = 0; i < got.size(); ++i) {
      for (std::size_t of = 0; of < 7; ++of) {
        const double sign = of == 0 ? 0 : of < 4 ? 1 : -1;
        const double a = sign * (right.acceleration.*axes[(of + 2) % 3])[i];
        misses[of] += std::abs((got.*axes[axis])[i] - a) / right.magnitude[i];
      }
    }
    // Where nothing pulls along an axis, all hold: the right one counts.
    std::size_t best = axis + 1;
    for (std::size_t of = 0; of < 7; ++of) {
      if (misses[of] < misses[best]) best = of;
    }
    code += place * static_cast<double>(best);
  }
  return code;
}

// Of those that were made, or their mean; working units.
double longest_step(const Failure& failure) {
  const Request& request = failure.test->request;
  const double many = is_in_one_go(*failure.test) ? static_cast<double>(request.steps) : 1;
  double longest = 0, before = 0;
  for (const State& state : failure.answer.states) {
    longest = std::max(longest, (state.time - before) / many);
    before = state.time;
  }
  return Units::for_bodies(request.bodies, request.setting.G).to_time(longest);
}

}  // namespace

std::set<double> numbers_of(Number number, const Failure& failure) {
  const Case& test = *failure.test;
  const Request& request = test.request;
  Vectors<double> got;
  if (request.steps == 0 && request.accelerations && test.n() > 1) {
    got = rows_of(failure.answer.accelerations, test.rows);
  }
  const bool has_forces = got.size() > 0 && is_finite(got) && length(got, 0) > 0;
  switch (number) {
    case Number::none:
      return {0};
    case Number::width:
      return {2, 4, 8, 16, 32, 64, 128, 256};
    case Number::added:  // as somebody has typed it
      return {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-20};
    case Number::share:
      return {0.05, 0.2, 0.5, 1.0};
    case Number::longest_step:
      if (request.adaptive) return {longest_step(failure)};
      break;
    case Number::factor:
      if (has_forces) return {best_factor(test.reference(), got)};
      break;
    case Number::axes:
      if (has_forces) return {best_axes(test.reference(), got)};
      break;
  }
  return {};
}

}  // namespace nbody::check
