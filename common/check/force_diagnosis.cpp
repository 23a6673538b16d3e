#include "check/force_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"
#include "check/source_weights.hpp"

namespace nbody {
namespace {

std::size_t unusable_bodies(const Vectors<double>& v) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!is_finite(v.x[i]) || !is_finite(v.y[i]) || !is_finite(v.z[i])) ++count;
  }
  return count;
}

std::string diagnose_unusable(const WrongForces& wrong) {
  const std::size_t n = wrong.got.size();
  const std::size_t count = unusable_bodies(wrong.got);
  if (count == 0) return "";
  std::size_t nans = 0;
  for (std::size_t i = 0; i < n; ++i) {
    nans += is_nan(wrong.got.x[i]) || is_nan(wrong.got.y[i]) || is_nan(wrong.got.z[i]) ? 1 : 0;
  }
  const std::string which = count == n ? "every body" : fmt::format("{} of {} bodies", count, n);
  if (nans == 0) return which + " is infinite: a division by zero, or a number beyond its range";
  if (count == n && wrong.scene.setting.softening == 0) {
    return which + " is NaN: 0/0? Without softening a body must not meet itself (i == j)";
  }
  return which + " is NaN: 0/0, infinity minus infinity, or memory that was never written";
}

// Who is wrong, if it is not everybody.
std::string diagnose_targets(const WrongForces& wrong, double limit) {
  const std::size_t n = wrong.got.size();
  std::vector<std::size_t> bad, zero;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(force_error_of(wrong.reference, wrong.got, i) <= limit)) bad.push_back(i);
    if (wrong.got.x[i] == 0 && wrong.got.y[i] == 0 && wrong.got.z[i] == 0) zero.push_back(i);
  }
  if (zero.size() == n) {
    return "no body feels anything: accelerations never computed, or never copied out";
  }
  if (bad == zero && !zero.empty()) {
    if (n - zero.front() == zero.size()) {
      return fmt::format("bodies from index {} on feel nothing: a tail is skipped", zero.front());
    }
    const std::size_t others = zero.size() - 1;
    return fmt::format("body {} feels nothing{}", zero.front(),
                       others == 0 ? "" : fmt::format(", nor do {} others", others));
  }
  if (bad.size() <= 2 && n > 3) return diagnose_few_bodies(wrong, bad, limit);
  return "";
}

// All bodies roughly right: it is the digits that are missing.
std::string diagnose_digits(const WrongForces& wrong, double limit) {
  const ForceError error = force_error(wrong.reference, wrong.got);
  if (limit < 1e-9) {
    if (error.max > 1e-4) return "";
    return fmt::format("right to about {:.0f} digits: somewhere float is used instead of double",
                       -std::log10(error.max));
  }
  if (error.max > 5e-3 || error.median < 1e-6) return "";
  return fmt::format(
      "right to about {:.0f} digits: a raw reciprocal square root (12 bits)? One "
      "Newton step makes it exact enough",
      -std::log10(error.max));
}

}  // namespace

std::string diagnose_force_numbers(const WrongForces& wrong, double limit) {
  const double error = force_error(wrong.reference, wrong.got).max;
  if (error <= limit) return "";
  // Nearly right: any other explanation would be a coincidence.
  if (error <= 2 * limit + 1e-6) return diagnose_digits(wrong, limit);
  for (const auto diagnose : {diagnose_targets, diagnose_factor, diagnose_hypotheses}) {
    const std::string diagnosis = diagnose(wrong, limit);
    if (!diagnosis.empty()) return diagnosis;
  }
  if (const auto weights = source_weights(wrong, 2 * limit + 1e-6)) {
    const std::string diagnosis = describe_source_weights(*weights);
    if (!diagnosis.empty()) return diagnosis;
  } else if (wrong.got.size() > 2) {
    const std::string diagnosis = diagnose_lost_sources(wrong, limit);
    if (!diagnosis.empty()) return diagnosis;
  }
  return diagnose_digits(wrong, limit);
}

std::string diagnose_forces(const WrongForces& wrong, const Request& request, Subject& subject) {
  const double limit = force_limit(subject.tolerance(), wrong.got.size());
  // The same question again: an answer that changes by itself is a race.
  try {
    const Vectors<double> again = subject.ask(request).accelerations;
    for (std::size_t i = 0; i < again.size(); ++i) {
      const double first = force_error_of(wrong.reference, wrong.got, i);
      const double second = force_error_of(wrong.reference, again, i);
      if (std::abs(first - second) > limit || is_finite(first) != is_finite(second)) {
        return "the same request gave two different answers: threads write to the same place "
               "without synchronisation (a data race), or memory is read before it is written";
      }
    }
  } catch (const SessionError&) {
    return "";
  }
  const std::string unusable = diagnose_unusable(wrong);
  const std::string diagnosis = unusable.empty() ? diagnose_force_numbers(wrong, limit) : unusable;
  const bool strong = unusable.empty() && !diagnosis.empty();
  if (strong || subject.precision() == Precision::double_precision) return diagnosis;
  if (const auto in_double = subject.ask_in_double(request)) {
    if (force_error(wrong.reference, in_double->accelerations).max <= limit) {
      return "right in double: in float a product leaves its range (G*m*m? the distance to the "
             "sixth?)";
    }
  }
  return diagnosis;
}

}  // namespace nbody
