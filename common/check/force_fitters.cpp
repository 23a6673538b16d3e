#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "check/error_measure.hpp"
#include "check/fitters.hpp"

namespace nbody::check {
namespace {

// The wrong bodies have each other's accelerations.
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

// Is what a body's sum lacks one pull?
std::string diagnose_lost_pair(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                               double fit) {
  const Vectors<double>&right = wrong.reference.acceleration, &got = wrong.got;
  for (const std::size_t i : bad) {
    for (std::size_t j = 0; j < got.size(); ++j) {
      if (j == i) continue;
      const Vector a = pull_of(wrong.scene, i, j);
      const double miss = length(right.x[i] - got.x[i] - a.x, right.y[i] - got.y[i] - a.y,
                                 right.z[i] - got.z[i] - a.z);
      if (miss <= fit * wrong.reference.magnitude[i]) {
        return fmt::format("body {} does not feel body {}: one pair is skipped", i, j);
      }
    }
  }
  return "";
}

// Which bodies are wrong, if not all.
void add_targets(const WrongForces& wrong, double limit, Hypotheses& found) {
  const std::size_t n = wrong.got.size();
  std::vector<std::size_t> bad, zero;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(force_error_of(wrong.reference, wrong.got, i) <= limit)) bad.push_back(i);
    if (wrong.got.x[i] == 0 && wrong.got.y[i] == 0 && wrong.got.z[i] == 0) zero.push_back(i);
  }
  if (zero.size() == n) {
    found.push_back({{"nothing", "all accelerations are zero: never computed, or never copied out"},
                     Reach::most_cases});
    // With fewer bodies than the loop takes at a time, all of them are the tail.
    found.push_back({{"targets_end", ""}});
    found.push_back({{"sources_end", ""}});
  } else if (bad == zero && n - zero.front() == zero.size()) {
    found.push_back({{"targets_end", fmt::format("bodies from index {} on feel nothing: a tail is "
                                                 "skipped",
                                                 zero.front())}});
  } else if (bad == zero) {
    const std::string others =
        zero.size() == 1 ? " feels" : fmt::format(" and {} others feel", zero.size() - 1);
    found.push_back({{"targets_skipped", fmt::format("body {}{} nothing", zero.front(), others)}});
  }
  // One of them may be so heavy that it is right by itself.
  const std::size_t from = bad.front();
  if (bad != zero && from > 1 && 10 * bad.size() >= 9 * (n - from)) {
    found.push_back(
        {{"wrong_tail", fmt::format("only the bodies from index {} on are wrong: is a last batch, "
                                    "tile or part computed in another way?",
                                    from)},
         Reach::fallback});
  }
  const std::string order = bad.size() < 2 ? "" : diagnose_order(wrong, bad, limit);
  if (!order.empty()) found.push_back({{"order", order}});
  const bool few = bad.size() <= 2 && n > 3;
  const std::string pair = few ? diagnose_lost_pair(wrong, bad, 2 * limit + 1e-6) : "";
  if (!pair.empty()) found.push_back({{"lost_pair", pair}});
}

// The error of a raw root, 1.5 x 2^-12, after cubing.
constexpr double largest_error_of_raw_root = 1.2e-3;
constexpr std::size_t least_many = 256;  // bodies; fewer are computed pair by pair

// All bodies are roughly right: only digits are missing.
void add_digits(const WrongForces& wrong, double limit, Hypotheses& found) {
  const ForceError error = force_error(wrong.reference, wrong.got);
  const double digits = -std::log10(error.max);
  if (limit < 1e-9) {
    if (error.max > 1e-4) return;
    found.push_back(
        {{"float", fmt::format("right to about {:.0f} digits: somewhere float is used instead of "
                               "double",
                               digits)},
         Reach::most_cases});
  } else if (error.max <= largest_error_of_raw_root && error.median >= 4e-6) {
    // The median is smallest for many equal masses and 14 bits. Truncated positions err more
    // between close bodies; long sums err as much, but not with few bodies.
    found.push_back(
        {.cause = {"raw_root",
                   fmt::format(
                       "right to about {:.0f} digits: a raw reciprocal square root (12 "
                       "to 14 bits)? One Newton step makes it exact enough. Or is something "
                       "rounded to half precision?",
                       digits)},
         .reach = Reach::most_cases,
         .shows_until = 17,
         .largest_error = largest_error_of_raw_root});
  }
  // All bodies err, not a few that miss a pair.
  if (limit > 1e-9 && error.max <= largest_error_of_raw_root && wrong.got.size() > least_many &&
      error.median >= error.max / 3000) {
    found.push_back(
        {{"halves",
          fmt::format("right to about {:.0f} digits, where there are many bodies: is "
                      "something rounded to half precision or a root estimated in some of "
                      "the sums, or are small pulls left out?",
                      digits)},
         Reach::fallback});
  }
}

}  // namespace

std::string diagnose_not_finite(const WrongForces& wrong) {
  const std::size_t n = wrong.got.size();
  std::size_t count = 0, nans = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a[] = {wrong.got.x[i], wrong.got.y[i], wrong.got.z[i]};
    count += std::any_of(a, a + 3, [](double value) { return !is_finite(value); });
    nans += std::any_of(a, a + 3, is_nan);
  }
  if (count == 0) return "";
  const std::string which =
      count == n ? "every body is"
                 : fmt::format("{} of {} bodies {}", count, n, count == 1 ? "is" : "are");
  if (nans == 0) return which + " infinite: a division by zero, or a number beyond its range";
  if (count == n && wrong.scene.setting.softening == 0) {
    return which + " NaN: 0/0? Without softening a body must not meet itself (i == j)";
  }
  return which +
         " NaN: 0/0 (a body and padding in one place?), infinity minus infinity, or "
         "memory that was never written";
}

Hypotheses fitted_force_mistakes(const WrongForces& wrong, double limit) {
  const double fit = 2 * limit + 1e-6;
  const double error = force_error(wrong.reference, wrong.got).max;
  Hypotheses found;
  if (error <= limit) return found;
  // If the answer is nearly right, most other explanations would be a coincidence.
  if (error > fit) {
    add_targets(wrong, limit, found);
  }
  if (const auto constant = fitted_constant(wrong, limit)) found.push_back(*constant);
  if (error > fit) {
    for (Hypothesis& formula : fitted_formulas(wrong, fit)) found.push_back(std::move(formula));
    const std::string axes = diagnose_axes(wrong, fit);
    if (!axes.empty()) found.push_back({{"axes", axes}, Reach::most_cases});
    if (const auto sources = fitted_sources(wrong, limit)) found.push_back(*sources);
  }
  add_digits(wrong, limit, found);
  std::stable_partition(found.begin(), found.end(),
                        [](const Hypothesis& one) { return one.reach != Reach::fallback; });
  return found;
}

}  // namespace nbody::check
