#include "check/force_hypotheses.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "check/error_measure.hpp"

namespace nbody::check {

bool explains(const Reference& prediction, const Vectors<double>& got, double fit) {
  if (prediction.acceleration.size() != got.size()) return false;
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

namespace {

// Two components are swapped in every wrong body.
std::string diagnose_swapped_axes(const WrongForces& wrong, double fit, int first, int second) {
  const auto axis = [](const Vectors<double>& v, int k) -> const std::vector<double>& {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
  };
  const Vectors<double>&right = wrong.reference.acceleration, &got = wrong.got;
  std::size_t bad = 0, first_bad = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (force_error_of(wrong.reference, got, i) <= fit) continue;
    const auto same = [&](int to, int from) {
      const double miss = std::abs(axis(got, to)[i] - axis(right, from)[i]);
      return miss <= fit * wrong.reference.magnitude[i];
    };
    const int third = 3 - first - second;
    if (!same(first, second) || !same(second, first) || !same(third, third)) return "";
    if (bad++ == 0) first_bad = i;
  }
  if (bad == 0) return "";
  return fmt::format("the {} and {} components are swapped{}", "xyz"[first], "xyz"[second],
                     bad == got.size() ? ""
                                       : fmt::format(", of {} bodies from index {} on: a remainder "
                                                     "loop?",
                                                     bad, first_bad));
}

}  // namespace

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
  // got = factor * expected on this axis?
  const auto times = [&](std::size_t axis, double factor) {
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double miss = std::abs((*got[axis])[i] - factor * (*expected[axis])[i]);
      if (!(miss <= fit * wrong.reference.magnitude[i])) return false;
    }
    return true;
  };
  for (const auto& [a, b] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
    const std::string swap = diagnose_swapped_axes(wrong, fit, a, b);
    if (!swap.empty()) return swap;
  }
  std::string text;
  const auto add = [&](const std::string& sentence) {
    text += (text.empty() ? "" : "; ") + sentence;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (same(axis, axis)) continue;
    if (times(axis, -1)) add(fmt::format("the {} component has the wrong sign", "xyz"[axis]));
    if (times(axis, 0)) add(fmt::format("the {} component is zero: never summed?", "xyz"[axis]));
    for (std::size_t from = 0; from < 3; ++from) {
      if (from != axis && same(axis, from)) {
        add(fmt::format("the {} component holds the {} component", "xyz"[axis], "xyz"[from]));
      }
    }
  }
  return text;
}

std::string diagnose_lost_sources(const WrongForces& wrong, double limit) {
  const std::size_t n = wrong.got.size();
  const std::size_t i = force_error(wrong.reference, wrong.got).worst;
  const Vectors<double>& right = wrong.reference.acceleration;
  // Drops the last sources one by one from the worst body's sum until the rest equals the answer.
  double x = right.x[i], y = right.y[i], z = right.z[i];
  for (std::size_t j = n; j-- > 1;) {
    if (j == i) continue;
    const Vector a = pull_of(wrong.scene, i, j);
    x -= a.x;
    y -= a.y;
    z -= a.z;
    const double ex = x - wrong.got.x[i], ey = y - wrong.got.y[i], ez = z - wrong.got.z[i];
    if (std::sqrt(ex * ex + ey * ey + ez * ez) > limit * wrong.reference.magnitude[i]) continue;
    Scene without = wrong.scene;
    for (std::size_t k = j; k < n; ++k) without.bodies.mass[k] = 0;
    if (explains(
            reference_accelerations(without.bodies, without.setting.G, without.setting.softening),
            wrong.got, limit)) {
      return fmt::format(
          "bodies from index {} on pull no other body: the loop over the sources, or a buffer, "
          "ends there",
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
  // Is what body i's sum lacks one body's pull?
  for (const std::size_t i : bad) {
    for (std::size_t j = 0; j < wrong.got.size(); ++j) {
      if (j == i) continue;
      const Vector a = pull_of(wrong.scene, i, j);
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

}  // namespace nbody::check
