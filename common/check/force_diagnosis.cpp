#include <fmt/format.h>

#include <cmath>

#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"

namespace nbody::check {
namespace {

std::size_t unusable_bodies(const Vectors<double>& v) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!is_finite(v.x[i]) || !is_finite(v.y[i]) || !is_finite(v.z[i])) ++count;
  }
  return count;
}

}  // namespace

std::string diagnose_not_finite(const WrongForces& wrong) {
  const std::size_t n = wrong.got.size();
  const std::size_t count = unusable_bodies(wrong.got);
  if (count == 0) return "";
  std::size_t nans = 0;
  for (std::size_t i = 0; i < n; ++i) {
    nans += is_nan(wrong.got.x[i]) || is_nan(wrong.got.y[i]) || is_nan(wrong.got.z[i]) ? 1 : 0;
  }
  const std::string which =
      count == n ? "every body is"
                 : fmt::format("{} of {} bodies {}", count, n, count == 1 ? "is" : "are");
  if (nans == 0) return which + " infinite: a division by zero, or a number beyond its range";
  if (count == n && wrong.scene.setting.softening == 0) {
    return which + " NaN: 0/0? Without softening a body must not meet itself (i == j)";
  }
  return which + " NaN: 0/0, infinity minus infinity, or memory that was never written";
}

namespace {

// Which bodies are wrong, if not all.
void add_targets(const WrongForces& wrong, double limit, Hypotheses& found) {
  const std::size_t n = wrong.got.size();
  std::vector<std::size_t> bad, zero;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(force_error_of(wrong.reference, wrong.got, i) <= limit)) bad.push_back(i);
    if (wrong.got.x[i] == 0 && wrong.got.y[i] == 0 && wrong.got.z[i] == 0) zero.push_back(i);
  }
  if (zero.size() == n) {
    found.push_back({"nothing", "all accelerations are zero: never computed, or never copied out",
                     Reach::most_cases});
    // With fewer bodies than the loop takes at a time, all of them are the tail.
    found.push_back({"targets end", ""});
    found.push_back({"sources end", ""});
  } else if (bad == zero && n - zero.front() == zero.size()) {
    found.push_back({"targets end", fmt::format("bodies from index {} on feel nothing: a tail is "
                                                "skipped",
                                                zero.front())});
  } else if (bad == zero) {
    const std::size_t others = zero.size() - 1;
    found.push_back(
        {"targets skipped",
         others == 0 ? fmt::format("body {} feels nothing", zero.front())
                     : fmt::format("body {} and {} others feel nothing", zero.front(), others)});
  }
  const std::string order = bad.size() < 2 ? "" : diagnose_order(wrong, bad, limit);
  if (!order.empty()) found.push_back({"order", order});
  if (bad.size() <= 2 && n > 3) {
    const std::string sentence = diagnose_few_bodies(wrong, bad, limit);
    if (!sentence.empty()) found.push_back({"few bodies", sentence});
  }
}

void add_sources(const WrongForces& wrong, double limit, Hypotheses& found) {
  if (const auto weights = source_weights(wrong, 2 * limit + 1e-6)) {
    Hypothesis hypothesis = describe_source_weights(*weights);
    if (!hypothesis.sentence.empty()) found.push_back(std::move(hypothesis));
  } else if (wrong.got.size() > 2) {
    const std::string sentence = diagnose_lost_sources(wrong, limit);
    if (!sentence.empty()) found.push_back({"sources end", sentence});
  }
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
    found.push_back({"float",
                     fmt::format("right to about {:.0f} digits: somewhere float is used instead of "
                                 "double",
                                 digits),
                     Reach::most_cases});
  } else if (error.max <= largest_error_of_raw_root && error.median >= 4e-6) {
    // The median is smallest for many equal masses and 14 bits. Truncated positions err more
    // between close bodies; long sums err as much, but not with few bodies.
    found.push_back(
        {"raw root",
         fmt::format("right to about {:.0f} digits: a raw reciprocal square root (12 "
                     "to 14 bits)? One Newton step makes it exact enough. Or is something "
                     "rounded to half precision?",
                     digits),
         Reach::most_cases, 999999, 17});
  }
  // All bodies err, not a few that miss a pair.
  if (limit > 1e-9 && error.max <= largest_error_of_raw_root && wrong.got.size() > least_many &&
      error.median >= error.max / 3000) {
    found.push_back({"halves",
                     fmt::format("right to about {:.0f} digits, where there are many bodies: is "
                                 "something rounded to half precision?",
                                 digits),
                     Reach::fallback});
  }
}

}  // namespace

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
    if (!axes.empty()) found.push_back({"axes", axes, Reach::most_cases});
    add_sources(wrong, limit, found);
  }
  add_digits(wrong, limit, found);
  return found;
}

}  // namespace nbody::check
