#include <algorithm>
#include <cmath>
#include <utility>

#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/seen.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

constexpr double differences = 4;          // of rounded numbers lose a few digits
constexpr std::size_t most_seen = 25'000;  // sums over all pairs of more would take seconds

// The constant c for which c * expected is nearest to got.
double best_factor(const Seen& seen, const Vectors<double>& got) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double weight = 1 / (seen.reference.magnitude[i] * seen.reference.magnitude[i]);
    for (const auto axis : axes) {
      const double a = (seen.reference.acceleration.*axis)[i];
      product += weight * a * (got.*axis)[i];
      square += weight * a * a;
    }
  }
  return product / square;
}

// For each axis, the one that the wrong bodies hold on it.
double best_axes(const Seen& seen, const Vectors<double>& got) {
  double code = 0, place = 1;
  for (std::size_t axis = 0; axis < 3; ++axis, place *= 7) {
    double misses[7] = {};  // of 0, x, y, z, -x, -y, -z
    for (const std::size_t i : seen.wrong) {
      for (std::size_t of = 0; of < 7; ++of) {
        const double sign = of == 0 ? 0 : of < 4 ? 1 : -1;
        const double right = sign * (seen.reference.acceleration.*axes[(of + 2) % 3])[i];
        misses[of] += std::abs((got.*axes[axis])[i] - right) / seen.reference.magnitude[i];
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
double longest_step(const Seen& seen) {
  const Request& request = seen.test.request;
  const auto many = static_cast<double>(is_in_one_go(seen.test) ? request.steps : 1);
  double longest = 0, before = 0;
  for (const State& state : seen.failure.answer.states) {
    longest = std::max(longest, (state.time - before) / many);
    before = state.time;
  }
  return Units::for_bodies(request.bodies, request.setting.G).to_time(longest);
}

}  // namespace

Seen::Seen(const Failure& of, const Tolerance& tolerance) : failure(of), test(*of.test) {
  const Request& request = test.request;
  const Setting& setting = request.setting;
  const Answer& answer = failure.answer;
  const std::size_t n = test.n();
  const bool forces = request.steps == 0;
  if (n > most_seen || is_in_one_go(test) || !setting.integrator.empty()) return;
  if (forces && !request.accelerations) return;
  State before = state_of(request.bodies), after = before, right;
  const Vectors<double>& got = answer.accelerations;
  // Does body i have what body j should have?
  const auto has_that_of = [&](std::size_t i, std::size_t j) {
    const Vectors<double>& a = reference.acceleration;
    if (forces) {
      return length(got.x[i] - a.x[j], got.y[i] - a.y[j], got.z[i] - a.z[j]) <=
             force_limit(tolerance, n) * reference.magnitude[j];
    }
    return body_error(right, j, after, i, reference.magnitude[j], after.time - before.time,
                      tolerance, differences)
               .max <= 1;
  };
  for (const State& state : answer.states) {
    before = std::exchange(after, state);
    const Bodies<double> bodies = bodies_in(request.bodies, before);
    reference = reference_accelerations(bodies, setting.G, setting.softening);
    const double dt = after.time - before.time;
    const double largest = reference_time_step(bodies, reference.acceleration);
    const double expected = request.adaptive ? adaptive_step(largest, setting) : setting.dt;
    right_length = std::abs(dt / expected - 1) <= adaptive_limit;
    right = stepped(before, reference.acceleration, dt, all_rows(n));
    for (std::size_t i = 0; i < n; ++i) {
      if (!has_that_of(i, i)) wrong.push_back(i);
    }
    if (!wrong.empty() || !right_length) break;
  }
  if (wrong.empty()) return;
  in_each_others_place =
      wrong.size() > 1 && std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
        return std::any_of(wrong.begin(), wrong.end(),
                           [&](std::size_t j) { return has_that_of(i, j); });
      });
  is_a_tail = wrong.front() > 1 && 10 * wrong.size() >= 9 * (n - wrong.front());
}

Vector pull_of(const Bodies<double>& b, const Setting& setting, std::size_t i, std::size_t j) {
  const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
  const double r2 = dx * dx + dy * dy + dz * dz + setting.softening * setting.softening;
  const double scale = setting.G * b.mass[j] / (r2 * std::sqrt(r2));
  return {scale * dx, scale * dy, scale * dz};
}

std::vector<double> numbers_of(Number number, const Seen& seen) {
  const Request& request = seen.test.request;
  const Vectors<double>& got = seen.failure.answer.accelerations;
  const bool has_forces = request.steps == 0 && !seen.wrong.empty() && is_finite(got);
  const bool is_zero = has_forces && length(got, 0) == 0;
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
      return request.adaptive ? std::vector{longest_step(seen)} : std::vector<double>();
    case Number::factor:
      return has_forces && !is_zero ? std::vector{best_factor(seen, got)} : std::vector<double>();
    case Number::axes:
      return has_forces ? std::vector{best_axes(seen, got)} : std::vector<double>();
  }
  return {};
}

}  // namespace nbody::check
