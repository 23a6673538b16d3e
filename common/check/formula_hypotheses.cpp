#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"

namespace nbody::check {
namespace {

// The constant c for which c * expected is nearest to got.
double best_factor(const WrongForces& wrong) {
  const auto& expected = wrong.reference.acceleration;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < wrong.got.size(); ++i) {
    const double weight = 1 / (wrong.reference.magnitude[i] * wrong.reference.magnitude[i]);
    for (const auto axis : axes) {
      const double a = (expected.*axis)[i];
      product += weight * a * (wrong.got.*axis)[i];
      square += weight * a * a;
    }
  }
  return product / square;
}

std::optional<Hypothesis> one_factor(const WrongForces& wrong, double fit) {
  const double c = best_factor(wrong);
  Reference times = wrong.reference;
  for (double& magnitude : times.magnitude) magnitude *= std::abs(c);
  for (const auto axis : axes) {
    for (double& a : times.acceleration.*axis) a *= c;
  }
  // Rounding is no excuse if another formula explains it better.
  if (c == 0 || !explains(times, wrong.got, fit / 2)) return std::nullopt;
  if (std::abs(c + 1) < 1e-3) {
    return Hypothesis{"reversed", "every force points the wrong way: r_i - r_j for r_j - r_i?",
                      Reach::most_cases};
  }
  return Hypothesis{"one factor",
                    fmt::format("all forces too {} by the same factor {:.6g}: G, or a constant "
                                "factor?",
                                std::abs(c) < 1 ? "small" : "large", c),
                    Reach::most_cases};
}

// The two distances between which the sources of body i end: {1, 0} if they do not. Distant and
// light bodies may not show, so it is a range.
std::pair<double, double> cut_off_of(const WrongForces& wrong, std::size_t i, double limit) {
  const Bodies<double>& b = wrong.scene.bodies;
  std::vector<std::pair<double, std::size_t>> sources;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (j != i) sources.emplace_back(distance(b, i, j), j);
  }
  std::sort(sources.begin(), sources.end());
  double x = 0, y = 0, z = 0;
  std::pair<double, double> between = {1, 0};
  for (std::size_t k = 0; k <= sources.size(); ++k) {
    const double miss = length(wrong.got.x[i] - x, wrong.got.y[i] - y, wrong.got.z[i] - z);
    if (miss <= limit * wrong.reference.magnitude[i]) {
      if (between.first > between.second) between.first = k == 0 ? 0 : sources[k - 1].first;
      between.second = k == sources.size() ? INFINITY : sources[k].first;
    }
    if (k == sources.size()) break;
    const Vector a = pull_of(wrong.scene, i, sources[k].second);
    x += a.x;
    y += a.y;
    z += a.z;
  }
  return between;
}

// The pulls of what is not farther away.
Reference forces_within(double radius, const Scene& scene) {
  const std::size_t n = scene.bodies.size();
  Reference sums{{}, std::vector<double>(n, 0)};
  sums.acceleration.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || distance(scene.bodies, i, j) > radius) continue;
      const Vector a = pull_of(scene, i, j);
      sums.acceleration.x[i] += a.x;
      sums.acceleration.y[i] += a.y;
      sums.acceleration.z[i] += a.z;
      sums.magnitude[i] += length(a.x, a.y, a.z);
    }
  }
  return sums;
}

// Bodies feel each other up to the same distance.
std::optional<Hypothesis> cut_off(const WrongForces& wrong, double fit) {
  constexpr std::size_t largest_n = 1100;  // every body's sources are sorted
  const std::size_t n = wrong.got.size();
  if (n < 7 || n > largest_n) return std::nullopt;
  double low = 0, high = INFINITY;
  for (std::size_t i = 0; i < n && low < high; ++i) {
    const auto [nearer, farther] = cut_off_of(wrong, i, fit);
    low = std::max(low, nearer);
    high = std::min(high, farther);
  }
  const double radius = (low + high) / 2;
  if (low >= high || !std::isfinite(high) ||
      !explains(forces_within(radius, wrong.scene), wrong.got, fit)) {
    return std::nullopt;
  }
  return Hypothesis{
      "cut-off",
      fmt::format("bodies farther apart than about {:.2g} m do not pull each other: a cut-off?",
                  radius),
      Reach::most_cases};
}

}  // namespace

Hypotheses fitted_formulas(const WrongForces& wrong, double fit) {
  Hypotheses found;
  if (wrong.got.size() < 2) return found;
  for (auto& one : {one_factor(wrong, fit), cut_off(wrong, fit)}) {
    if (one) found.push_back(*one);
  }
  return found;
}

// It shows if bodies are close. What must be added to r^2 to explain the worst body, by bisection.
std::optional<Hypothesis> fitted_constant(const WrongForces& wrong, double limit) {
  if (wrong.got.size() < 2) return std::nullopt;
  const ForceError error = force_error(wrong.reference, wrong.got);
  const Bodies<double>& b = wrong.scene.bodies;
  const Setting& setting = wrong.scene.setting;
  const double nearest = distance(b, error.worst, nearest_to(b, error.worst));
  const auto softening_with = [&](double added) {
    return std::sqrt(setting.softening * setting.softening + added);
  };
  const double wanted = length(wrong.got, error.worst);
  double low = -20, high = 30;  // logarithms, in units of the nearest neighbour's distance
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    const Reference with = reference_accelerations(
        b, setting.G, softening_with(nearest * nearest * std::exp(middle)), {error.worst});
    (length(with.acceleration, 0) > wanted ? low : high) = middle;
  }
  const double added = nearest * nearest * std::exp(low);
  if (!explains(reference_accelerations(b, setting.G, softening_with(added)), wrong.got,
                std::min(2 * limit + 1e-6, error.max / 5))) {
    return std::nullopt;
  }
  const Units units = Units::for_bodies(b, setting.G);
  return Hypothesis{
      "constant",
      fmt::format("forces between close bodies are too weak, as if {:.1g} were added to r^2: an "
                  "absolute constant? Units are scaled (docs/physics.md, section 5)",
                  std::ldexp(added, -2 * units.length))};
}

}  // namespace nbody::check
