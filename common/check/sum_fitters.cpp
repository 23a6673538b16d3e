#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// Terms that are added one by one to the sum of body i: where do they equal the answer?
class Sum {
 public:
  Sum(const WrongForces& wrong, std::size_t i) : wrong_(wrong), i_(i) {}
  void add(std::size_t j, double times = 1) {
    if (j == i_) return;
    const Vector a = pull_of(wrong_.scene, i_, j);
    x_ += times * a.x;
    y_ += times * a.y;
    z_ += times * a.z;
  }
  bool is_answer(double fit) const {
    const Vectors<double>& got = wrong_.got;
    return length(got.x[i_] - x_, got.y[i_] - y_, got.z[i_] - z_) <=
           fit * wrong_.reference.magnitude[i_];
  }

 private:
  const WrongForces& wrong_;
  std::size_t i_;
  double x_ = 0, y_ = 0, z_ = 0;
};

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
  // Rounding is no excuse if another formula explains it better.
  if (c == 0 ||
      !explains(sums_with(wrong.scene, [&](auto, auto) { return c; }), wrong.got, fit / 2)) {
    return std::nullopt;
  }
  if (std::abs(c + 1) < 1e-3) {
    return Hypothesis{{"reversed", "every force points the wrong way: r_i - r_j for r_j - r_i?"},
                      Reach::most_cases};
  }
  return Hypothesis{
      {"one_factor", fmt::format("all forces too {} by the same factor {:.6g}: G, or a constant "
                                 "factor?",
                                 std::abs(c) < 1 ? "small" : "large", c)},
      Reach::most_cases};
}

// The two distances between which the sources of body i end: {1, 0} if they do not. Distant and
// light bodies may not show, so it is a range.
std::pair<double, double> cut_off_of(const WrongForces& wrong, std::size_t i, double limit) {
  std::vector<std::pair<double, std::size_t>> sources;
  for (std::size_t j = 0; j < wrong.got.size(); ++j) {
    if (j != i) sources.emplace_back(distance(wrong.scene.bodies, i, j), j);
  }
  std::sort(sources.begin(), sources.end());
  Sum sum(wrong, i);
  std::pair<double, double> between = {1, 0};
  for (std::size_t k = 0; k <= sources.size(); ++k) {
    if (sum.is_answer(limit)) {
      if (between.first > between.second) between.first = k == 0 ? 0 : sources[k - 1].first;
      between.second = k == sources.size() ? INFINITY : sources[k].first;
    }
    if (k < sources.size()) sum.add(sources[k].second);
  }
  return between;
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
  const auto within = [&](std::size_t i, std::size_t j) {
    return distance(wrong.scene.bodies, i, j) > radius ? 0.0 : 1.0;
  };
  if (low >= high || !std::isfinite(high) ||
      !explains(sums_with(wrong.scene, within), wrong.got, fit)) {
    return std::nullopt;
  }
  return Hypothesis{
      {"cut_off",
       fmt::format("bodies farther apart than about {:.2g} m do not pull each other: a cut-off?",
                   radius)},
      Reach::most_cases};
}

// Are the bodies from some index on left out altogether, as targets and as sources?
std::optional<Hypothesis> lost_bodies(const WrongForces& wrong, double fit) {
  const Vectors<double>& got = wrong.got;
  std::size_t end = got.size();
  while (end > 0 && length(got, end - 1) == 0) --end;
  if (end < 2 || end == got.size()) return std::nullopt;
  const auto before = [&](std::size_t i, std::size_t j) { return i < end && j < end ? 1.0 : 0.0; };
  if (!explains(sums_with(wrong.scene, before), got, fit)) return std::nullopt;
  return Hypothesis{
      {"bodies_end",
       fmt::format(
           "bodies from index {} on are left out: they feel nothing and pull no other body: "
           "a tail that a loop skips, or an array that ends there?",
           end)}};
}

// Are the last sources missing in every sum? Drops them one by one from the worst body's sum until
// the rest equals the answer.
std::optional<Hypothesis> lost_sources(const WrongForces& wrong, double limit) {
  const std::size_t n = wrong.got.size(), worst = force_error(wrong.reference, wrong.got).worst;
  Sum sum(wrong, worst);
  for (std::size_t j = 0; j < n; ++j) sum.add(j);
  for (std::size_t end = n - 1; end > 0; --end) {
    sum.add(end, -1);
    if (end == worst || !sum.is_answer(limit)) continue;
    const auto before = [&](auto, std::size_t j) { return j < end ? 1.0 : 0.0; };
    if (!explains(sums_with(wrong.scene, before), wrong.got, limit)) continue;
    return Hypothesis{
        {"sources_end",
         fmt::format("bodies from index {} on pull no other body: the loop over the sources, or a "
                     "buffer, ends there",
                     end)}};
  }
  return std::nullopt;
}

}  // namespace

bool explains(const Reference& prediction, const Vectors<double>& got, double fit) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(force_error_of(prediction, got, i) <= fit)) return false;
  }
  return true;
}

Vector pull_of(const Scene& scene, std::size_t i, std::size_t j) {
  const Bodies<double>& b = scene.bodies;
  const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
  const double r2 = dx * dx + dy * dy + dz * dz + scene.setting.softening * scene.setting.softening;
  const double scale = scene.setting.G * b.mass[j] / (r2 * std::sqrt(r2));
  return {scale * dx, scale * dy, scale * dz};
}

Reference sums_with(const Scene& scene, const Factor& factor) {
  const std::size_t n = scene.bodies.size();
  Reference sums{{}, std::vector<double>(n, 0)};
  sums.acceleration.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double by = j == i ? 0 : factor(i, j);
      if (by == 0) continue;
      const Vector a = pull_of(scene, i, j);
      sums.acceleration.x[i] += by * a.x;
      sums.acceleration.y[i] += by * a.y;
      sums.acceleration.z[i] += by * a.z;
      sums.magnitude[i] += std::abs(by) * length(a.x, a.y, a.z);
    }
  }
  return sums;
}

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
      {"constant",
       fmt::format("forces between close bodies are too weak, as if {:.1g} were added to r^2: an "
                   "absolute constant? Units are scaled (docs/physics.md, section 5)",
                   std::ldexp(added, -2 * units.length))}};
}

std::optional<Hypothesis> fitted_sources(const WrongForces& wrong, double limit) {
  if (const auto weights = source_weights(wrong, 2 * limit + 1e-6)) {
    Hypothesis hypothesis = describe_source_weights(*weights);
    return hypothesis.cause.is_known() ? std::optional(std::move(hypothesis)) : std::nullopt;
  }
  if (const auto lost = lost_bodies(wrong, 2 * limit + 1e-6)) return lost;
  return wrong.got.size() > 2 ? lost_sources(wrong, limit) : std::nullopt;
}

}  // namespace nbody::check
