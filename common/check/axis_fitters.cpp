#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "check/error_measure.hpp"
#include "check/fitters.hpp"

// Components of accelerations: mixed up, of the wrong sign, or wrong in any other way.

namespace nbody::check {

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
  // All three at once are a pull that is far too weak.
  return found.size() == 3 ? "" : fmt::format("{}", fmt::join(found, "; "));
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
      "only the {} component is wrong: is there a wrong letter, a wrong sign, or `=` where `+=` "
      "belongs, in one of its lines?",
      "xyz"[axis]);
}

}  // namespace nbody::check
