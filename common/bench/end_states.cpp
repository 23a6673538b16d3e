#include "bench/end_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "physics/reference.hpp"

namespace nbody::bench {
namespace {

using check::is_finite, protocol::State;
constexpr double worth = 1e9;           // pairs: a second or two
constexpr double most_off = 0.25;       // relative to the error of half the steps
constexpr double most_time_off = 0.01;  // of adaptive runs: one body decides each step
constexpr double least_weight = 100, largest_weight = 50;
constexpr double most_unknown = 0.01;  // of the square: a tenth

Vector velocity_of(const State& state, std::size_t i) {
  return {state.velocity.x[i], state.velocity.y[i], state.velocity.z[i]};
}
Vector position_of(const State& state, std::size_t i) {
  return {state.position.x[i], state.position.y[i], state.position.z[i]};
}
Vector minus(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double size_of(const Vector& a) { return check::length(a.x, a.y, a.z); }

// Weighted sum of all columns of the states.
State sum_of(const std::vector<State>& states, const std::vector<double>& weights) {
  State sum;
  const auto add = [&](std::vector<double> Vectors<double>::*column, Vectors<double> State::*of) {
    std::vector<double>& to = sum.*of.*column;
    to.resize((states.front().*of.*column).size());
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const std::vector<double>& from = states[k].*of.*column;
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += weights[k] * from[i];
    }
  };
  for (auto column : {&Vectors<double>::x, &Vectors<double>::y, &Vectors<double>::z}) {
    add(column, &State::position);
    add(column, &State::velocity);
  }
  return sum;
}

// One body's evidence: how far its end is off, in units of the error of half the steps, and its
// weight.
struct Evidence {
  double part, weight;
};

double weighted_median(std::vector<Evidence> all) {
  std::sort(all.begin(), all.end(),
            [](const Evidence& a, const Evidence& b) { return a.part < b.part; });
  double half = 0, sum = 0;
  for (const Evidence& one : all) half += one.weight / 2;
  for (const Evidence& one : all) {
    if ((sum += one.weight) >= half) return one.part;
  }
  return 0;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Where the requested number of steps ends, and half of them at twice the dt. `rougher` is `right`
// from one level fewer: their difference tells how well `right` is known.
struct Known {
  State right, half, rougher;
  double time;                    // until there
  std::vector<double> magnitude;  // sum_j |a_ij| at the start
};

EndVerdict verdict_of(const std::vector<double>& miss, const std::vector<Evidence>& evidence,
                      double weight, std::uint64_t steps) {
  if (median(miss) > 1.5)
    return {fmt::format("its final state is not that of {} steps", steps), true};
  // With few bodies, nearly all must have a known end.
  if (weight < least_weight || evidence.size() < std::min<std::size_t>(miss.size(), 8)) {
    return {"", false};
  }
  const double part = weighted_median(evidence);
  if (std::abs(part) <= most_off) return {"", true};
  // The end moves in proportion to dt, and dt goes with 1 / steps.
  if (part < -0.5 || part > 20)
    return {fmt::format("its final state is not that of {} steps", steps), true};
  return {fmt::format("about {:.2g} steps of {}", static_cast<double>(steps) / (1 + part), steps),
          true};
}

EndVerdict compared(const State& end, std::uint64_t steps, const Known& known,
                    const check::Tolerance& tolerance) {
  const std::size_t n = known.magnitude.size();
  const double roundings = 4 * tolerance.digits * std::sqrt(static_cast<double>(steps) + 1);
  std::vector<Evidence> evidence;
  std::vector<double> miss;
  double weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double speed = size_of(velocity_of(known.right, i)),
                 place = size_of(position_of(known.right, i));
    const double force = tolerance.force / 10 * known.magnitude[i] * known.time;
    const double noise_v = roundings * speed + force,
                 noise_q = roundings * place + force * known.time;
    const auto product = [&](const State& a, const State& b) {
      return dot(minus(velocity_of(a, i), velocity_of(known.right, i)),
                 minus(velocity_of(b, i), velocity_of(known.right, i))) /
                 (noise_v * noise_v) +
             dot(minus(position_of(a, i), position_of(known.right, i)),
                 minus(position_of(b, i), position_of(known.right, i))) /
                 (noise_q * noise_q);
    };
    const double half = product(known.half, known.half), off = product(end, end);
    if (!is_finite(off)) return {"the final state is not finite", true};
    // The polynomial cannot predict bodies that meet closely.
    const double unknown = product(known.rougher, known.rougher);
    miss.push_back(std::sqrt(off) / (std::sqrt(half) + 8 + 4 * std::sqrt(unknown)));
    if (unknown > most_unknown * half || !(half > 0)) continue;
    // No body may dominate: a strong pull on one body may be poorly known.
    evidence.push_back({product(end, known.half) / half, std::min(half, largest_weight)});
    weight += evidence.back().weight;
  }
  return verdict_of(miss, evidence, weight, steps);
}

}  // namespace

EndStates::EndStates(const Scene& scene, double time) : scene_(scene), time_(time) {
  constexpr std::uint64_t coarsest = 4, finest = 256;
  constexpr std::size_t levels = 5;
  magnitude_ =
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening).magnitude;
  const double n = static_cast<double>(scene.bodies.size());
  const auto affordable = [&](std::uint64_t steps) {
    return steps <= 8 * coarsest ||
           (steps <= finest && 2 * static_cast<double>(steps) * n * n <= worth);
  };
  for (std::uint64_t steps = coarsest; affordable(steps); steps *= 2) levels_.push_back(steps);
  if (levels_.size() > levels) {
    levels_.erase(levels_.begin(), levels_.end() - static_cast<std::ptrdiff_t>(levels));
  }
  for (const std::uint64_t steps : levels_) ends_.push_back(run(steps));
}

State EndStates::run(std::uint64_t steps) const {
  Bodies<double> bodies = scene_.bodies;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Reference pulls =
        reference_accelerations(bodies, scene_.setting.G, scene_.setting.softening);
    reference_update(bodies, pulls.acceleration, time_ / static_cast<double>(steps));
  }
  return check::state_of({bodies, scene_.setting, 0});
}

// The polynomial in dt through the ends of the first `count` levels.
State EndStates::at(double dt, std::size_t count) const {
  const auto step = [&](std::size_t k) { return time_ / static_cast<double>(levels_[k]); };
  std::vector<double> weights(count, 1);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t other = 0; other < count; ++other) {
      if (other != k) weights[k] *= (dt - step(other)) / (step(k) - step(other));
    }
  }
  return sum_of(ends_, weights);
}

State EndStates::after(std::uint64_t steps) const {
  return steps < levels_.front() ? run(steps)
                                 : at(time_ / static_cast<double>(steps), levels_.size());
}

EndVerdict EndStates::judge(const State& end, std::uint64_t steps,
                            const check::Tolerance& tolerance) const {
  if (static_cast<double>(steps) * tolerance.digits > most_roundings) return {"", false};
  Known known = {after(steps), after(steps / 2), {}, time_, magnitude_};
  const bool extrapolated = steps >= levels_.front();
  known.rougher =
      extrapolated ? at(time_ / static_cast<double>(steps), levels_.size() - 1) : known.right;
  return compared(end, steps, known, tolerance);
}

EndVerdict judge_adaptive_end(const Scene& scene, double time, const State& end,
                              std::uint64_t steps, const check::Tolerance& tolerance) {
  const double n = static_cast<double>(scene.bodies.size());
  const bool affordable = 3 * static_cast<double>(steps) * n * n <= worth;
  if (!affordable || static_cast<double>(steps) * tolerance.digits > most_roundings) {
    return {"", false};
  }
  const auto walk = [&](std::uint64_t number, double longer) {
    Bodies<double> bodies = scene.bodies;
    double time = 0;
    for (std::uint64_t step = 0; step < number; ++step) {
      const Reference pulls =
          reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
      const double dt = longer * reference_adaptive_step(bodies, pulls.acceleration, scene.setting);
      reference_update(bodies, pulls.acceleration, dt);
      time += dt;
    }
    State after = check::state_of({bodies, scene.setting, 0});
    after.time = time;
    return after;
  };
  const State right = walk(steps, 1);
  if (right.time > time) return {"", false};  // chaos
  if (!(std::abs(end.time / right.time - 1) <= most_time_off)) {
    return {fmt::format("returns {:.4g} s for {} adaptive steps that take {:.4g} s", end.time,
                        steps, right.time),
            true};
  }
  const std::uint64_t half = steps / 2;
  const double twice = half > 0 ? static_cast<double>(steps) / static_cast<double>(half) : 1;
  const Known known = {
      right, walk(half, twice), right, right.time,
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening).magnitude};
  return compared(end, steps, known, tolerance);
}

double missed_pull(const State& start, const State& end, const Vectors<double>& at_start,
                   const Vectors<double>& at_end, const std::vector<std::size_t>& rows,
                   std::uint64_t steps, double digits) {
  if (steps == 0 || rows.empty()) return 0;
  const double time = end.time, dt = time / static_cast<double>(steps);
  std::vector<double> missed;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t i = rows[k];
    const Vector a0 = {at_start.x[k], at_start.y[k], at_start.z[k]};
    const Vector a1 = {at_end.x[k], at_end.y[k], at_end.z[k]};
    const Vector change = minus(velocity_of(end, i), velocity_of(start, i));
    // The sum over the steps omits the last acceleration: (dt / 2) (a1 - a0) less.
    const double w0 = (time + dt) / 2, w1 = (time - dt) / 2;
    const Vector off = {change.x - w0 * a0.x - w1 * a1.x, change.y - w0 * a0.y - w1 * a1.y,
                        change.z - w0 * a0.z - w1 * a1.z};
    const double size = w0 * size_of(a0) + w1 * size_of(a1);
    const double rounding =
        8 * digits * std::sqrt(static_cast<double>(steps)) * size_of(velocity_of(end, i));
    const double part = std::max(0.0, size_of(off) - rounding) / size;
    if (!is_finite(size_of(off)) || !(size >= 0)) return std::numeric_limits<double>::infinity();
    missed.push_back(size > 0 ? part : 0);
  }
  return median(std::move(missed));
}

}  // namespace nbody::bench
