#include "check/force_hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bodies/units.hpp"
#include "check/error_measure.hpp"

namespace nbody {
namespace {

// True if `got` is what the hypothesis predicts, to within `fit` of its own sum |a_ij|.
bool explains(const Reference& prediction, const Vectors<double>& got, double fit) {
  if (prediction.acceleration.size() != got.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(force_error_of(prediction, got, i) <= fit)) return false;
  }
  return true;
}

Reference scaled(Reference reference, const std::vector<double>& factors) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    reference.acceleration.x[i] *= factors[i];
    reference.acceleration.y[i] *= factors[i];
    reference.acceleration.z[i] *= factors[i];
    reference.magnitude[i] *= std::abs(factors[i]);
  }
  return reference;
}

// The constant c for which c * expected is nearest to got.
double best_factor(const WrongForces& wrong) {
  const auto& expected = wrong.reference.acceleration;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < wrong.got.size(); ++i) {
    const double weight = 1 / (wrong.reference.magnitude[i] * wrong.reference.magnitude[i]);
    product += weight * (expected.x[i] * wrong.got.x[i] + expected.y[i] * wrong.got.y[i] +
                         expected.z[i] * wrong.got.z[i]);
    square += weight * (expected.x[i] * expected.x[i] + expected.y[i] * expected.y[i] +
                        expected.z[i] * expected.z[i]);
  }
  return product / square;
}

Reference with_softening(const Scene& scene, double softening) {
  return reference_accelerations(scene.bodies, scene.setting.G, softening);
}

// a_ij: what body j does to body i.
Vector pull(const Scene& scene, std::size_t i, std::size_t j) {
  const Bodies<double>& b = scene.bodies;
  const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
  const double r2 = dx * dx + dy * dy + dz * dz + scene.setting.softening * scene.setting.softening;
  const double scale = scene.setting.G * b.mass[j] / (r2 * std::sqrt(r2));
  return {scale * dx, scale * dy, scale * dz};
}

// Masses as the simulator sees them: a mistake made with them is made in working units.
std::vector<double> working_masses(const Scene& scene) {
  return Units::for_bodies(scene.bodies, scene.setting.G).to_working(scene.bodies).mass;
}

Reference with_masses_of_targets(const Scene& scene) {
  Bodies<double> ones = scene.bodies;
  std::fill(ones.mass.begin(), ones.mass.end(), 1.0);
  const Reference geometry =
      reference_accelerations(ones, scene.setting.G, scene.setting.softening);
  return scaled(geometry, scene.bodies.mass);
}

// eps added where eps^2 belongs; in working units, where the simulator does it.
Reference with_plain_softening(const Scene& scene) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  const double eps = units.to_length(scene.setting.softening);
  return with_softening(scene, scene.setting.softening * std::sqrt(eps) / eps);
}

// The sum over the bodies after (or before) the own index only.
enum class Part { after, before };
Reference with_part_of_sources(const Scene& scene, Part part) {
  const Bodies<double>& b = scene.bodies;
  const std::size_t n = b.size();
  Reference sums;
  sums.acceleration.resize(n);
  sums.magnitude.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = part == Part::after ? i + 1 : 0, end = part == Part::after ? n : i;
    for (std::size_t j = begin; j < end; ++j) {
      const Vector a = pull(scene, i, j);
      sums.acceleration.x[i] += a.x;
      sums.acceleration.y[i] += a.y;
      sums.acceleration.z[i] += a.z;
      sums.magnitude[i] += std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    }
  }
  return sums;
}

std::string diagnose_axes(const WrongForces& wrong, double fit) {
  const Vectors<double>& right = wrong.reference.acceleration;
  const std::vector<const std::vector<double>*> expected = {&right.x, &right.y, &right.z};
  const std::vector<const std::vector<double>*> got = {&wrong.got.x, &wrong.got.y, &wrong.got.z};
  const auto same = [&](std::size_t axis, std::size_t from) {
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double miss = std::abs((*got[axis])[i] - (*expected[from])[i]);
      if (!(miss <= fit * wrong.reference.magnitude[i])) return false;
    }
    return true;
  };
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (same(axis, axis)) continue;
    for (std::size_t from = 0; from < 3; ++from) {
      if (from != axis && same(axis, from)) {
        text += fmt::format("{}the {} component holds the {} component", text.empty() ? "" : "; ",
                            "xyz"[axis], "xyz"[from]);
      }
    }
  }
  return text;
}

}  // namespace

std::string diagnose_factor(const WrongForces& wrong, double limit) {
  if (wrong.got.size() < 2) return "";
  const double c = best_factor(wrong);
  const Reference prediction = scaled(wrong.reference, std::vector<double>(wrong.got.size(), c));
  if (c == 0 || !explains(prediction, wrong.got, limit)) return "";
  if (std::abs(c + 1) < 1e-3) return "every force points the wrong way: r_i - r_j for r_j - r_i?";
  const std::vector<double> masses = working_masses(wrong.scene);
  const bool equal = std::all_of(masses.begin(), masses.end(),
                                 [&](double mass) { return mass == masses.front(); });
  if (equal && std::abs(c / masses.front() - 1) < 1e-3) {
    return "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it";
  }
  return fmt::format("all forces too {} by the same factor {:.6g}: G, or a constant factor?",
                     std::abs(c) < 1 ? "small" : "large", c);
}

std::string diagnose_hypotheses(const WrongForces& wrong, double limit) {
  const double fit = 2 * limit + 1e-6;
  const Scene& scene = wrong.scene;
  if (scene.setting.softening > 0) {
    if (explains(with_softening(scene, 0), wrong.got, fit)) {
      return "softening is ignored: eps^2 belongs under the root";
    }
    if (explains(with_plain_softening(scene), wrong.got, fit)) {
      return "softening: eps is added to the squared distance where eps^2 belongs";
    }
  }
  for (const Reference& earlier : wrong.earlier) {
    if (explains(earlier, wrong.got, fit)) {
      return "these are the accelerations of an earlier request: something static is not reset";
    }
  }
  if (explains(scaled(wrong.reference, working_masses(scene)), wrong.got, fit)) {
    return "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it";
  }
  if (explains(with_masses_of_targets(scene), wrong.got, fit)) {
    return "the mass of the pulled body stands where the mass of the pulling body belongs";
  }
  if (wrong.got.size() > 2 && wrong.got.size() <= 1021) {
    for (const Part part : {Part::after, Part::before}) {
      if (explains(with_part_of_sources(scene, part), wrong.got, fit)) {
        return fmt::format(
            "each body feels only those {} it: the other half of each pair (third "
            "law) is missing",
            part == Part::after ? "after" : "before");
      }
    }
  }
  return diagnose_axes(wrong, fit);
}

std::string diagnose_lost_sources(const WrongForces& wrong, double limit) {
  const std::size_t n = wrong.got.size();
  const std::size_t i = force_error(wrong.reference, wrong.got).worst;
  const Vectors<double>& right = wrong.reference.acceleration;
  // Drop the last sources one by one from the worst body's sum until the rest is the answer.
  double x = right.x[i], y = right.y[i], z = right.z[i];
  for (std::size_t j = n; j-- > 1;) {
    if (j == i) continue;
    const Vector a = pull(wrong.scene, i, j);
    x -= a.x;
    y -= a.y;
    z -= a.z;
    const double ex = x - wrong.got.x[i], ey = y - wrong.got.y[i], ez = z - wrong.got.z[i];
    if (std::sqrt(ex * ex + ey * ey + ez * ez) > limit * wrong.reference.magnitude[i]) continue;
    Scene without = wrong.scene;
    for (std::size_t k = j; k < n; ++k) without.bodies.mass[k] = 0;
    if (explains(with_softening(without, without.setting.softening), wrong.got, limit)) {
      return fmt::format(
          "bodies from index {} on pull nobody: the loop over the sources, or a "
          "buffer, ends there",
          j);
    }
  }
  return "";
}

std::string diagnose_few_bodies(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                                double limit) {
  const double fit = 2 * limit + 1e-6;
  const auto& right = wrong.reference;
  const auto holds_answer_of = [&](std::size_t i, std::size_t j) {
    const double dx = wrong.got.x[i] - right.acceleration.x[j];
    const double dy = wrong.got.y[i] - right.acceleration.y[j];
    const double dz = wrong.got.z[i] - right.acceleration.z[j];
    return std::sqrt(dx * dx + dy * dy + dz * dz) <= fit * right.magnitude[j];
  };
  if (bad.size() == 2 && holds_answer_of(bad[0], bad[1]) && holds_answer_of(bad[1], bad[0])) {
    return fmt::format("bodies {} and {} have each other's acceleration: swapped", bad[0], bad[1]);
  }
  // What is missing in body i's sum: is it one body's pull?
  for (const std::size_t i : bad) {
    for (std::size_t j = 0; j < wrong.got.size(); ++j) {
      if (j == i) continue;
      const Vector a = pull(wrong.scene, i, j);
      const double ex = right.acceleration.x[i] - wrong.got.x[i] - a.x;
      const double ey = right.acceleration.y[i] - wrong.got.y[i] - a.y;
      const double ez = right.acceleration.z[i] - wrong.got.z[i] - a.z;
      if (std::sqrt(ex * ex + ey * ey + ez * ez) <= fit * right.magnitude[i]) {
        return fmt::format("body {} does not feel body {}: one pair is skipped", i, j);
      }
    }
  }
  return "";
}

}  // namespace nbody
