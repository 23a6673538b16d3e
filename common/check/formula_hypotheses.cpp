#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bodies/units.hpp"
#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"
#include "check/mistakes/mistake.hpp"

namespace nbody::check {
namespace {

using Factor = std::function<double(const Pull&)>;

// Tries formulas on one wrong answer. Factors see working units, as the simulator does.
class Formulas {
 public:
  explicit Formulas(const WrongForces& wrong)
      : wrong_(wrong),
        units_(Units::for_bodies(wrong.scene.bodies, wrong.scene.setting.G)),
        working_(units_.to_working(wrong.scene.bodies)),
        softening_(units_.to_length(wrong.scene.setting.softening)),
        G_(units_.to_G(wrong.scene.setting.G)) {}

  // A formula is the same for all bodies: of thousands, every tenth or so is enough. A formula that
  // changes nothing here explains nothing.
  bool fit(const Factor& factor, double limit) const {
    const std::size_t n = wrong_.got.size();
    double change = 0;
    for (std::size_t i = 0; i < n; i += 1 + n / 512) {
      if (!(miss_of(factor, i, change) <= limit)) return false;
    }
    return change > limit;
  }

  const Units& units() const { return units_; }

  // The distance up to which bodies feel each other; 0 if no distance explains all of them.
  double cut_off_radius(double limit) const {
    constexpr std::size_t largest_n = 1100;  // every body's sources are sorted
    const std::size_t n = wrong_.got.size();
    if (n < 7 || n > largest_n) return 0;
    double low = 0, high = INFINITY;
    for (std::size_t i = 0; i < n && low < high; ++i) {
      const auto [nearer, farther] = cut_off_of(i, limit);
      low = std::max(low, nearer);
      high = std::min(high, farther);
    }
    return low < high && std::isfinite(high) ? (low + high) / 2 : 0;
  }

 private:
  // The two distances between which the sources of body i end: {1, 0} if they do not.
  std::pair<double, double> cut_off_of(std::size_t i, double limit) const {
    const Bodies<double>& b = working_;
    std::vector<std::pair<double, std::size_t>> sources;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (j != i) sources.emplace_back(distance(b, i, j), j);
    }
    std::sort(sources.begin(), sources.end());
    double x = 0, y = 0, z = 0;
    // Distant and light bodies may not show, so it is a range.
    std::pair<double, double> between = {1, 0};
    for (std::size_t k = 0; k <= sources.size(); ++k) {
      const double miss = length(wrong_.got.x[i] - x, wrong_.got.y[i] - y, wrong_.got.z[i] - z);
      if (miss <= limit * wrong_.reference.magnitude[i]) {
        if (between.first > between.second) between.first = k == 0 ? 0 : sources[k - 1].first;
        between.second = k == sources.size() ? INFINITY : sources[k].first;
      }
      if (k == sources.size()) break;
      const Vector a = pull_of(wrong_.scene, i, sources[k].second);
      x += a.x;
      y += a.y;
      z += a.z;
    }
    return between;
  }

  // The error of one body as in error_measure.hpp, if the formula were right.
  double miss_of(const Factor& factor, std::size_t i, double& change) const {
    const Bodies<double>& b = working_;
    double x = 0, y = 0, z = 0, magnitude = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (j == i) continue;
      const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
      const double distance2 = dx * dx + dy * dy + dz * dz;
      const Pull pull{i, j, b.size(), distance2, softening_, b.mass[i], b.mass[j], G_, false};
      const double by = factor(pull);
      change = std::max(change, std::abs(by - 1));
      const double scale = by * G_ * b.mass[j] / (pull.r2() * std::sqrt(pull.r2()));
      x += scale * dx;
      y += scale * dy;
      z += scale * dz;
      magnitude += std::abs(scale) * std::sqrt(distance2);
    }
    const Vectors<double> si = units_.acceleration_to_si({{x, magnitude}, {y, 0}, {z, 0}});
    const double miss =
        length(wrong_.got.x[i] - si.x[0], wrong_.got.y[i] - si.y[0], wrong_.got.z[i] - si.z[0]);
    return miss == 0 ? 0 : miss / si.x[1];
  }

  const WrongForces& wrong_;
  Units units_;
  Bodies<double> working_;
  double softening_, G_;
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

// What must be added to r^2 to explain the worst body, by bisection.
double added_constant(const WrongForces& wrong) {
  const std::size_t i = force_error(wrong.reference, wrong.got).worst;
  const Bodies<double>& b = wrong.scene.bodies;
  double nearest2 = INFINITY;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const double d = distance(b, i, j);
    if (j != i) nearest2 = std::min(nearest2, d * d);
  }
  const double softening2 = wrong.scene.setting.softening * wrong.scene.setting.softening;
  const double wanted = length(wrong.got, i);
  double low = -20, high = 30;  // logarithms, in units of the nearest neighbour's distance
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    const Reference with = reference_accelerations(
        b, wrong.scene.setting.G, std::sqrt(softening2 + nearest2 * std::exp(middle)), {i});
    (length(with.acceleration, 0) > wanted ? low : high) = middle;
  }
  return nearest2 * std::exp(low);
}

// Found with nothing else known about the answer.
Hypothesis most_cases(const char* mistake, std::string sentence) {
  return {mistake, std::move(sentence), Reach::most_cases};
}

std::optional<Hypothesis> one_factor(const WrongForces& wrong, const Formulas& formulas,
                                     double fit) {
  const double c = best_factor(wrong);
  // Rounding is no excuse if another formula explains it better.
  if (c == 0 || !formulas.fit([c](const Pull&) { return c; }, fit / 2)) return std::nullopt;
  if (std::abs(c + 1) < 1e-3) {
    return most_cases("reversed", "every force points the wrong way: r_i - r_j for r_j - r_i?");
  }
  return most_cases("one factor",
                    fmt::format("all forces too {} by the same factor {:.6g}: G, or a constant "
                                "factor?",
                                std::abs(c) < 1 ? "small" : "large", c));
}

std::optional<Hypothesis> cut_off(const Formulas& formulas, double fit) {
  const double radius = formulas.cut_off_radius(fit);
  if (radius == 0) return std::nullopt;
  const auto near = [=](const Pull& p) { return p.distance2 > radius * radius ? 0.0 : 1.0; };
  if (!formulas.fit(near, fit)) return std::nullopt;
  return most_cases(
      "cut-off",
      fmt::format("bodies farther apart than about {:.2g} m do not pull each other: a cut-off?",
                  std::ldexp(radius, formulas.units().length)));
}

}  // namespace

Hypotheses fitted_formulas(const WrongForces& wrong, double fit) {
  Hypotheses found;
  if (wrong.got.size() < 2) return found;
  const Formulas formulas(wrong);
  for (auto& one : {one_factor(wrong, formulas, fit), cut_off(formulas, fit)}) {
    if (one) found.push_back(*one);
  }
  return found;
}

// It shows if bodies are close.
std::optional<Hypothesis> fitted_constant(const WrongForces& wrong, double limit) {
  if (wrong.got.size() < 2) return std::nullopt;
  const Formulas formulas(wrong);
  const double error = force_error(wrong.reference, wrong.got).max;
  const double s = added_constant(wrong) / std::ldexp(1, 2 * formulas.units().length);
  const auto with_constant = [s](const Pull& p) { return std::pow(p.r2() / (p.r2() + s), 1.5); };
  if (!formulas.fit(with_constant, std::min(2 * limit + 1e-6, error / 5))) return std::nullopt;
  return Hypothesis{
      "constant",
      fmt::format("forces between close bodies are too weak, as if {:.1g} were added to r^2: an "
                  "absolute constant? Units are scaled (docs/physics.md, section 5)",
                  s),
      Reach::some_cases};
}

}  // namespace nbody::check
