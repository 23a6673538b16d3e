#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "check/case_list.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/seen.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

constexpr double beyond = std::numeric_limits<double>::infinity();
constexpr double fit_roundings = 4;        // differences of rounded numbers lose a few digits
constexpr std::size_t most_seen = 25'000;  // sums over all pairs of more would take seconds

Units units_of(const Seen& seen) {
  return Units::for_bodies(seen.test.request.bodies, seen.test.request.setting.G);
}

std::size_t worst_body(const Seen& seen) { return force_error(seen.reference, seen.got).worst; }

// The constant c for which c * expected is nearest to got.
double best_factor(const Seen& seen) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < seen.got.size(); ++i) {
    const double weight = 1 / (seen.reference.magnitude[i] * seen.reference.magnitude[i]);
    for (const auto axis : axes) {
      const double a = (seen.reference.acceleration.*axis)[i];
      product += weight * a * (seen.got.*axis)[i];
      square += weight * a * a;
    }
  }
  return product / square;
}

// What must be added to r^2 to explain the worst body, by bisection.
double best_constant(const Seen& seen) {
  const std::size_t worst = worst_body(seen);
  const Setting& setting = seen.test.request.setting;
  const double nearest = distance(seen.bodies, worst, nearest_to(seen.bodies, worst));
  const double wanted = length(seen.got, worst);
  double low = -20, high = 30;  // logarithms, in units of the nearest neighbour's distance
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2, added = nearest * nearest * std::exp(middle);
    const double softening = std::sqrt(setting.softening * setting.softening + added);
    const Reference with = reference_accelerations(seen.bodies, setting.G, softening, {worst});
    (length(with.acceleration, 0) > wanted ? low : high) = middle;
  }
  return std::ldexp(nearest * nearest * std::exp(low), -2 * units_of(seen).length);
}

// Bodies of many, the worst among them: enough to agree on a number.
std::vector<std::size_t> some_bodies(const Seen& seen) {
  constexpr std::size_t all_of = 200, some = 40;
  const std::size_t n = seen.got.size(), by = n <= all_of ? 1 : n / some;
  std::vector<std::size_t> bodies = {worst_body(seen)};
  for (std::size_t i = 0; i < n; i += by) bodies.push_back(i);
  return bodies;
}

// Sources count up to some key only: a distance, an index. A body's sources are added in the order
// of their keys until the sum is its acceleration; all bodies agree between which two keys that is.
template <typename Key>
std::optional<std::pair<double, double>> prefix_that_fits(const Seen& seen, const Key& key) {
  double low = -beyond, high = beyond;
  for (const std::size_t i : some_bodies(seen)) {
    std::vector<std::pair<double, std::size_t>> sources;
    for (std::size_t j = 0; j < seen.got.size(); ++j) {
      if (j != i) sources.emplace_back(key(i, j), j);
    }
    std::sort(sources.begin(), sources.end());
    double from = beyond, to = -beyond;
    Vector sum = {0, 0, 0};
    for (std::size_t k = 0; k <= sources.size(); ++k) {
      const double miss =
          length(seen.got.x[i] - sum.x, seen.got.y[i] - sum.y, seen.got.z[i] - sum.z);
      if (miss <= seen.fit * seen.reference.magnitude[i]) {
        if (from == beyond) from = k == 0 ? -beyond : sources[k - 1].first;
        to = k == sources.size() ? beyond : sources[k].first;
      }
      if (k == sources.size()) break;
      const Vector a = pull_of(seen.bodies, seen.test.request.setting, i, sources[k].second);
      sum = {sum.x + a.x, sum.y + a.y, sum.z + a.z};
    }
    low = std::max(low, from);
    high = std::min(high, to);
    if (low >= high) return std::nullopt;
  }
  if (!std::isfinite(high)) return std::nullopt;
  return std::pair(std::isfinite(low) ? low : high, high);
}

// The bodies whose one pull is all that body i lacks.
std::optional<std::size_t> pull_that_lacks(const Seen& seen, std::size_t i) {
  const Vectors<double>& right = seen.reference.acceleration;
  for (std::size_t j = 0; j < seen.got.size(); ++j) {
    if (j == i) continue;
    const Vector a = pull_of(seen.bodies, seen.test.request.setting, i, j);
    const double miss = length(right.x[i] - seen.got.x[i] - a.x, right.y[i] - seen.got.y[i] - a.y,
                               right.z[i] - seen.got.z[i] - a.z);
    if (miss <= seen.fit * seen.reference.magnitude[i]) return j;
  }
  return std::nullopt;
}

std::vector<double> lost_pairs(const Seen& seen) {
  if (seen.wrong.empty() || seen.wrong.size() > 2 || seen.got.size() <= 3) return {};
  const std::size_t i = seen.wrong.front();
  const auto j = pull_that_lacks(seen, i);
  if (!j) return {};
  const auto pair = static_cast<double>(i * seen.got.size() + *j);
  return {seen.wrong.size() == 1 ? pair : -pair - 1};
}

// Where the bodies begin whose accelerations are exactly zero.
std::vector<double> first_zero(const Seen& seen) {
  std::size_t first = seen.got.size();
  while (first > 0 && length(seen.got, first - 1) == 0) --first;
  if (first == seen.got.size()) return {};
  return {static_cast<double>(first)};
}

std::vector<double> first_that_stays(const Seen& seen) {
  std::vector<double> found;
  for (const auto what : {&State::position, &State::velocity}) {
    const Vectors<double>&was = seen.before.*what, &is = seen.after.*what;
    std::size_t first = was.size();
    while (first > 0 && distance(was, is, first - 1) == 0) --first;
    const auto number = static_cast<double>(first);
    if (first < was.size() && (found.empty() || found.front() != number)) found.push_back(number);
  }
  return found;
}

// The first body that allows less than the step that was made.
std::vector<double> first_not_searched(const Seen& seen) {
  for (std::size_t i = 0; i < seen.bodies.size(); ++i) {
    const double nearest = distance(seen.bodies, i, nearest_to(seen.bodies, i));
    const double allowed = step_of(seen.bodies, seen.reference.acceleration, i, nearest);
    if (allowed < seen.length() * (1 - adaptive_limit)) return {static_cast<double>(i)};
  }
  return {};
}

// For each axis, the one that the wrong bodies hold on it.
std::vector<double> best_axes(const Seen& seen) {
  if (seen.wrong.empty()) return {};
  const std::size_t first = seen.wrong.front() < 2 ? 0 : seen.wrong.front();
  double code = 0, place = 1;
  for (const auto axis : axes) {
    double least = beyond;
    std::size_t best = 0;
    for (std::size_t option = 0; option < 7; ++option) {
      const auto from = axes[option == 0 ? 0 : (option - 1) % 3];
      const double sign = option == 0 ? 0 : option < 4 ? 1 : -1;
      double miss = 0;
      for (const std::size_t i : seen.wrong) {
        const double right = sign * (seen.reference.acceleration.*from)[i];
        miss += std::abs((seen.got.*axis)[i] - right) / seen.reference.magnitude[i];
      }
      // Where nothing pulls along an axis, all options hold: the right one counts.
      const bool right = option > 0 && option < 4 && from == axis;
      if (!(miss < least || (right && miss <= least))) continue;
      least = miss;
      best = option;
    }
    code += place * static_cast<double>(best);
    place *= 7;
  }
  if (code == 0) return {};  // nothing at all, which is no matter of axes
  return {code + 343 * static_cast<double>(first)};
}

// The factor that multiplied all velocities in addition to Eq. 4.
std::vector<double> damping(const Seen& seen) {
  const double dt = seen.length();
  double product = 0, square = 0;
  for (const auto axis : axes) {
    const auto &v = seen.before.velocity.*axis, &a = seen.reference.acceleration.*axis;
    for (std::size_t i = 0; i < v.size(); ++i) {
      product += ((seen.after.velocity.*axis)[i] - a[i] * dt) * v[i];
      square += v[i] * v[i];
    }
  }
  // A step that is off by less is no friction.
  if (!(square > 0) || std::abs(product / square - 1) <= 1e-5) return {};
  return {product / square};
}

// No step is longer than a constant: 1, 2 or 5 with zeros, as somebody has typed it, if it is not
// below the floor.
std::vector<double> longest_step(const Seen& seen) {
  const double got = seen.length(), typed = units_of(seen).to_time(got);
  const double floor = seen.test.request.setting.dt_floor;
  bool shows = std::abs(got / floor - 1) < 1e-6;
  for (const double digit : {1.0, 2.0, 5.0}) {
    const double power = std::log10(typed / digit);
    shows = shows || std::abs(power - std::round(power)) < 1e-6;
  }
  if (got >= seen.expected || !shows) return {};
  return {typed};
}

std::vector<double> steps_made(const Seen& seen) {
  const Request& request = seen.test.request;
  std::vector<double> found;
  std::size_t made = 0;
  reference_run(request, [&](const Run& so_far) {
    if (miss_of(seen.after, so_far, seen.tolerance.digits) <= path_limit) {
      made = so_far.steps.size();
    }
  });
  if (made > 0 && made < request.steps) found.push_back(static_cast<double>(made));
  // After few of very many steps the path is as short as its roundings: then the time tells.
  const double by_time = std::round(seen.after.time / request.setting.dt);
  const bool fewer = by_time > 0 && by_time < static_cast<double>(request.steps);
  const bool known = made > 0 && by_time == static_cast<double>(made);
  if (!request.adaptive && fewer && !known) found.push_back(by_time);
  return found;
}

std::vector<double> numbers_of_forces(Number number, const Seen& seen) {
  if (!seen.has_forces() || seen.got.size() < 2 || !is_finite(seen.got)) return {};
  const Bodies<double>& b = seen.bodies;
  const Units units = units_of(seen);
  switch (number) {
    case Number::factor: {
      const double c = best_factor(seen);
      return std::abs(c) < 1e-9 ? std::vector<double>() : std::vector{c};
    }
    case Number::added:
      return {best_constant(seen)};
    case Number::pair:
      return lost_pairs(seen);
    case Number::source:
      if (const auto j = pull_that_lacks(seen, worst_body(seen))) return {static_cast<double>(*j)};
      return {};
    case Number::source_index:
      if (const auto cut = prefix_that_fits(
              seen, [](std::size_t, std::size_t j) { return static_cast<double>(j); });
          cut && cut->second > 0) {  // from 0 on nothing pulls at all, which is no end of a loop
        return {cut->second};
      }
      return {};
    case Number::distance:
      if (const auto cut = prefix_that_fits(
              seen, [&](std::size_t i, std::size_t j) { return distance(b, i, j); })) {
        return {units.to_length((cut->first + cut->second) / 2)};
      }
      return {};
    case Number::mass:
      if (const auto cut =
              prefix_that_fits(seen, [&](std::size_t, std::size_t j) { return -b.mass[j]; })) {
        return {std::ldexp(-(cut->first + cut->second) / 2, -units.mass)};
      }
      return {};
    case Number::target_index:
      return first_zero(seen);
    case Number::axes:
      return best_axes(seen);
    default:
      return {};
  }
}

// Wrong where they are by Eq. 4 and 5, of one step.
std::vector<std::size_t> moved_wrongly(const Seen& seen, const State& expected, double roundings) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < seen.bodies.size(); ++i) {
    const StepError error = body_error(expected, i, seen.after, i, seen.reference.magnitude[i],
                                       seen.length(), seen.tolerance, roundings);
    if (!(error.max <= 1)) wrong.push_back(i);
  }
  return wrong;
}

}  // namespace

Seen::Seen(const Failure& failure, const Tolerance& of)
    : test(*failure.test), answer(failure.answer), tolerance(of), bodies(test.request.bodies) {
  const Request& request = test.request;
  const Setting& setting = request.setting;
  if (test.n() > most_seen || (request.steps > 0 && answer.states.empty())) return;
  const auto reference_here = [&] {
    return reference_accelerations(bodies, setting.G, setting.softening);
  };
  if (request.steps == 0) {
    if (!request.accelerations) return;
    reference = test.rows.size() == test.n() ? test.reference() : reference_here();
    got = answer.accelerations;
    fit = 2 * force_limit(tolerance, test.n()) + 1e-6;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (!(force_error_of(reference, got, i) <= fit / 2)) wrong.push_back(i);
    }
    return;
  }
  before = state_of(bodies);
  after = answer.states.front();
  if (!request.every_state && request.steps > 1) return;
  if (!setting.integrator.empty()) {
    step = 1;
    expected = length();
    reference = reference_here();
    Integration<double> run = reference_integration(request);
    run.advance(1, {false, after.time, 0});
    Bodies<double> place = bodies;
    run.simulator().copy_state(place);
    wrong = moved_wrongly(*this, state_of(place), fit_roundings * integrator_roundings);
    return;
  }
  for (const State& next : answer.states) {
    after = next;
    ++step;
    bodies = bodies_in(request.bodies, before);
    const Reference of_rows =
        reference_accelerations(bodies, setting.G, setting.softening, test.rows);
    const double largest = reference_time_step(bodies, of_rows.acceleration, test.rows);
    expected = request.adaptive ? adaptive_step(largest, setting) : setting.dt;
    State right = stepped(before, of_rows.acceleration, length(), test.rows);
    right.time = after.time;
    const bool moved =
        state_error(right, after, of_rows.magnitude, length(), tolerance, test.rows, fit_roundings)
            .max <= 1;
    if (!right_length() || !moved) break;
    if (step == answer.states.size()) {
      step = 0;
      return;
    }
    before = after;
  }
  reference = reference_here();
  const std::vector<std::size_t> all = all_rows(test.n());
  wrong =
      moved_wrongly(*this, stepped(before, reference.acceleration, length(), all), fit_roundings);
  // Differences of rounded velocities lose a few digits.
  fit = 1e-4;
  got = before.velocity;
  for (const auto axis : axes) {
    for (std::size_t i = 0; i < test.n(); ++i) {
      (got.*axis)[i] = ((after.velocity.*axis)[i] - (before.velocity.*axis)[i]) / length();
    }
  }
}

bool Seen::right_length() const { return std::abs(length() / expected - 1) <= adaptive_limit; }

bool Seen::stepped_to(const State& state, double dt) const {
  State same_time = state;
  same_time.time = after.time;
  return state_error(same_time, after, reference.magnitude, dt, tolerance, all_rows(test.n()),
                     fit_roundings)
             .max <= 1;
}

Shown Seen::shown() const {
  const Units units = units_of(*this);
  return {test.n(), test.request.steps, std::ldexp(1, units.length), std::ldexp(1, units.mass)};
}

Vector pull_of(const Bodies<double>& b, const Setting& setting, std::size_t i, std::size_t j) {
  const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
  const double r2 = dx * dx + dy * dy + dz * dz + setting.softening * setting.softening;
  const double scale = setting.G * b.mass[j] / (r2 * std::sqrt(r2));
  return {scale * dx, scale * dy, scale * dz};
}

double step_of(const Bodies<double>& b, const Vectors<double>& acceleration, std::size_t i,
               double distance) {
  if (distance == 0) return 0;
  const double v = length(b.vx[i], b.vy[i], b.vz[i]), a = length(acceleration, i);
  return 0.2 * distance / (v + std::sqrt(v * v + 0.2 * a * distance));
}

std::vector<double> numbers_of(Number number, const Seen& seen) {
  const bool one_step = seen.step > 0 && seen.test.request.setting.integrator.empty();
  const bool wrong_step = one_step && seen.test.request.adaptive && !seen.right_length();
  switch (number) {
    case Number::none:
      return {0};
    case Number::width:
      return {std::begin(widths), std::end(widths)};
    case Number::moved_index:
      return seen.before.position.size() > 0 ? first_that_stays(seen) : std::vector<double>();
    case Number::search_index:
      return wrong_step && seen.bodies.size() > 1 ? first_not_searched(seen)
                                                  : std::vector<double>();
    case Number::keep:
      return one_step ? damping(seen) : std::vector<double>();
    case Number::share:
      return wrong_step ? std::vector{0.05, 0.2, 0.5, 1.0} : std::vector<double>();
    case Number::longest_step:
      return wrong_step ? longest_step(seen) : std::vector<double>();
    case Number::steps:
      return seen.step == 0 && seen.before.position.size() > 0 ? steps_made(seen)
                                                               : std::vector<double>();
    default:
      return numbers_of_forces(number, seen);
  }
}

}  // namespace nbody::check
