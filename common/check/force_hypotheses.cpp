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

std::string diagnose_axes(const WrongForces& wrong, double fit) {
  std::vector<std::size_t> all, bad;
  for (std::size_t i = 0; i < wrong.got.size(); ++i) {
    all.push_back(i);
    if (!(force_error_of(wrong.reference, wrong.got, i) <= fit)) bad.push_back(i);
  }
  // Is an axis a factor times what is expected on that axis, or another?
  const auto holds = [&](const std::vector<std::size_t>& bodies, std::size_t axis, double factor,
                         std::size_t from) {
    return std::all_of(bodies.begin(), bodies.end(), [&](std::size_t i) {
      const double right = (wrong.reference.acceleration.*axes[from])[i];
      const double miss = std::abs((wrong.got.*axes[axis])[i] - factor * right);
      return miss <= fit * wrong.reference.magnitude[i];
    });
  };
  for (const auto& [a, b] : {std::pair{0u, 1u}, std::pair{0u, 2u}, std::pair{1u, 2u}}) {
    const unsigned c = 3 - a - b;
    if (!holds(bad, a, 1, b) || !holds(bad, b, 1, a) || !holds(bad, c, 1, c)) continue;
    return fmt::format("the {} and {} components are swapped{}", "xyz"[a], "xyz"[b],
                       bad.size() == all.size()
                           ? ""
                           : fmt::format(", of {} bodies from index {} on: does a loop over "
                                         "the remaining bodies do it?",
                                         bad.size(), bad.front()));
  }
  std::vector<std::string> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (holds(all, axis, 1, axis)) continue;
    const std::string name = fmt::format("the {} component", "xyz"[axis]);
    if (holds(all, axis, -1, axis)) found.push_back(name + " has the wrong sign");
    if (holds(all, axis, 0, axis)) found.push_back(name + " is zero: never summed?");
    for (std::size_t from = 0; from < 3; ++from) {
      if (from == axis || !holds(all, axis, 1, from)) continue;
      found.push_back(fmt::format("{} holds the {} component", name, "xyz"[from]));
    }
  }
  return fmt::format("{}", fmt::join(found, "; "));
}

std::string diagnose_one_axis(const WrongForces& wrong, double limit) {
  const Vectors<double>& right = wrong.reference.acceleration;
  const std::size_t n = wrong.got.size();
  if (n < 3) return "";
  std::vector<std::size_t> wrong_axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::size_t misses = 0, pulled = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double scale = limit * wrong.reference.magnitude[i], a = (right.*axes[axis])[i];
      misses += std::abs((wrong.got.*axes[axis])[i] - a) <= scale ? 0 : 1;
      pulled += std::abs(a) > scale ? 1 : 0;
    }
    // Along an axis without pull every mistake is right. And a few bodies that miss are rounding,
    // or another mistake.
    if (pulled == 0 || (misses > 0 && 2 * misses < n)) return "";
    if (misses > 0) wrong_axes.push_back(axis);
  }
  if (wrong_axes.size() != 1) return "";
  const std::size_t axis = wrong_axes.front();
  const auto holds_last_term = [&](std::size_t i) {
    const Vector pull = pull_of(wrong.scene, i, i == n - 1 ? n - 2 : n - 1);
    const double term = axis == 0 ? pull.x : axis == 1 ? pull.y : pull.z;
    return std::abs((wrong.got.*axes[axis])[i] - term) <= limit * wrong.reference.magnitude[i];
  };
  bool is_last = true;
  for (std::size_t i = 0; i < n && is_last; ++i) is_last = holds_last_term(i);
  if (is_last) {
    return fmt::format("the {} component is what the last body does: `=` where `+=` belongs",
                       "xyz"[axis]);
  }
  return fmt::format(
      "only the {} component is wrong: is there a wrong letter, or `=` where `+=` "
      "belongs, in one of its lines?",
      "xyz"[axis]);
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
