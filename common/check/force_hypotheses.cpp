#include "check/force_hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "check/check_scenes.hpp"
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
std::string diagnose_swapped_axes(const WrongForces& wrong, double fit, std::size_t first,
                                  std::size_t second) {
  const Vectors<double>&right = wrong.reference.acceleration, &got = wrong.got;
  std::size_t bad = 0, first_bad = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (force_error_of(wrong.reference, got, i) <= fit) continue;
    const auto same = [&](std::size_t to, std::size_t from) {
      const double miss = std::abs((got.*axes[to])[i] - (right.*axes[from])[i]);
      return miss <= fit * wrong.reference.magnitude[i];
    };
    const std::size_t third = 3 - first - second;
    if (!same(first, second) || !same(second, first) || !same(third, third)) return "";
    if (bad++ == 0) first_bad = i;
  }
  if (bad == 0) return "";
  return fmt::format("the {} and {} components are swapped{}", "xyz"[first], "xyz"[second],
                     bad == got.size()
                         ? ""
                         : fmt::format(", of {} bodies from index {} on: does a loop over "
                                       "the remaining bodies do it?",
                                       bad, first_bad));
}

}  // namespace

std::string diagnose_axes(const WrongForces& wrong, double fit) {
  const Vectors<double>& right = wrong.reference.acceleration;
  // Is it a factor times what is expected on that axis, or another?
  const auto times = [&](double factor, std::size_t axis, std::size_t from) {
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double miss = std::abs((wrong.got.*axes[axis])[i] - factor * (right.*axes[from])[i]);
      if (!(miss <= fit * wrong.reference.magnitude[i])) return false;
    }
    return true;
  };
  for (const auto& [a, b] : {std::pair{0u, 1u}, std::pair{0u, 2u}, std::pair{1u, 2u}}) {
    const std::string swap = diagnose_swapped_axes(wrong, fit, a, b);
    if (!swap.empty()) return swap;
  }
  std::string text;
  const auto add = [&](const std::string& sentence) {
    text += (text.empty() ? "" : "; ") + sentence;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (times(1, axis, axis)) continue;
    if (times(-1, axis, axis)) add(fmt::format("the {} component has the wrong sign", "xyz"[axis]));
    if (times(0, axis, axis))
      add(fmt::format("the {} component is zero: never summed?", "xyz"[axis]));
    for (std::size_t from = 0; from < 3; ++from) {
      if (from != axis && times(1, axis, from)) {
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
    const double miss = length(x - wrong.got.x[i], y - wrong.got.y[i], z - wrong.got.z[i]);
    if (miss > limit * wrong.reference.magnitude[i]) continue;
    Scene without = wrong.scene;
    for (std::size_t k = j; k < n; ++k) without.bodies.mass[k] = 0;
    if (explains(reference_of(without), wrong.got, limit)) {
      return fmt::format(
          "bodies from index {} on pull no other body: the loop over the sources, or a buffer, "
          "ends there",
          j);
    }
  }
  return "";
}

std::string diagnose_order(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                           double limit) {
  const Vectors<double>&right = wrong.reference.acceleration, &got = wrong.got;
  const auto holds_answer_of = [&](std::size_t i, std::size_t j) {
    return length(got.x[i] - right.x[j], got.y[i] - right.y[j], got.z[i] - right.z[j]) <=
           (2 * limit + 1e-6) * wrong.reference.magnitude[j];
  };
  for (const std::size_t i : bad) {
    if (std::none_of(bad.begin(), bad.end(),
                     [&](std::size_t j) { return holds_answer_of(i, j); })) {
      return "";
    }
  }
  if (bad.size() == 2) {
    return fmt::format("bodies {} and {} have each other's acceleration: swapped", bad[0], bad[1]);
  }
  return fmt::format(
      "{} bodies have the accelerations of other bodies: were they sorted, and the results not put "
      "back?",
      bad.size());
}

std::string diagnose_few_bodies(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                                double limit) {
  const double fit = 2 * limit + 1e-6;
  const std::vector<double>& magnitude = wrong.reference.magnitude;
  const Vectors<double>&right = wrong.reference.acceleration, &got = wrong.got;
  // Is what body i's sum lacks one body's pull?
  for (const std::size_t i : bad) {
    for (std::size_t j = 0; j < got.size(); ++j) {
      if (j == i) continue;
      const Vector a = pull_of(wrong.scene, i, j);
      const double miss = length(right.x[i] - got.x[i] - a.x, right.y[i] - got.y[i] - a.y,
                                 right.z[i] - got.z[i] - a.z);
      if (miss <= fit * magnitude[i]) {
        return fmt::format("body {} does not feel body {}: one pair is skipped", i, j);
      }
    }
  }
  return "";
}

}  // namespace nbody::check
