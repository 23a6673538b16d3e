#include "bench/halves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/fresh_scene.hpp"
#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"

namespace nbody::bench {
namespace {

using check::state_of;

constexpr std::size_t all_rows_until = 8192;  // bodies: the reference takes a second at most
constexpr std::size_t some_rows = 64;
// Two ways to make the same steps differ by the order of sums.
constexpr double most_apart_in_float = 1e-4, most_apart_in_double = 1e-9;
constexpr double most_time_apart = 1e-4;
constexpr double clearly = 3;  // times that

double most_apart(const check::Tolerance& tolerance) {
  return tolerance.digits > 1e-10 ? most_apart_in_float : most_apart_in_double;
}

// The same request from another state, for other steps.
Request continued(const Request& request, const State& from, std::uint64_t steps) {
  Request next = request;
  next.bodies = check::bodies_in(request.bodies, from);
  next.steps = steps;
  return next;
}

// The one in the middle of all, of an even number the larger one. At least one value.
double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A single step, by the checker's own rules. Which adaptive step is right only all bodies tell; of
// very many, it is judged as a step of the length that it had.
std::string judge_step(const TimedAnswer& one, const check::Tolerance& tolerance, Random& random) {
  check::Case test{check::Group::steps, "", one.request, {}};
  test.request.every_state = true;
  const std::size_t n = test.n();
  const bool all = one.request.adaptive && n <= all_rows_until;
  test.rows = sampled_rows(n, all ? all_rows_until : some_rows, random);
  if (one.request.adaptive && !all) {
    test.request.adaptive = false;
    test.request.setting.dt = one.answer.states.back().time;
  }
  check::Row row;
  judge(test, one.answer, tolerance, row);
  if (row.verdict == check::Verdict::passed) return "";
  return row.detail.empty() ? "a step is wrong" : "a step is wrong: " + row.detail;
}

double change_of(const Vectors<double>& a, const Vectors<double>& b, std::size_t i) {
  return check::length(a.x[i] - b.x[i], a.y[i] - b.y[i], a.z[i] - b.z[i]);
}

// Joining two steps into one changes a velocity by half of what the pull changes in a step.
bool would_show(const TimedAnswer& timed, double limit) {
  if (timed.request.steps < 2) return true;
  const State start = state_of(timed.request.bodies);
  const State& end = timed.answer.states.back();
  const Vectors<double>& a = timed.answer.accelerations;
  // What the pull was in the middle of the time, and is in the end.
  std::vector<double> shares;
  for (std::size_t i = 0; i < start.velocity.size(); ++i) {
    const double mean = change_of(end.velocity, start.velocity, i) / end.time;
    const double rest =
        check::length(a.x[i] - (end.velocity.x[i] - start.velocity.x[i]) / end.time,
                      a.y[i] - (end.velocity.y[i] - start.velocity.y[i]) / end.time,
                      a.z[i] - (end.velocity.z[i] - start.velocity.z[i]) / end.time);
    if (mean > 0) shares.push_back(rest / mean / static_cast<double>(timed.request.steps));
  }
  return shares.empty() || middle_of(std::move(shares)) > clearly * limit;
}

}  // namespace

double distance_between(const State& one, const State& other, const State& start,
                        std::uint64_t steps, double digits) {
  const double roundings = 8 * digits * std::sqrt(static_cast<double>(steps));
  std::vector<double> shares;
  for (std::size_t i = 0; i < start.velocity.size(); ++i) {
    const double away = change_of(one.velocity, other.velocity, i);
    const double changed = std::max(change_of(one.velocity, start.velocity, i),
                                    change_of(other.velocity, start.velocity, i));
    const double rounding = roundings * check::length(one.velocity, i);
    if (!std::isfinite(away) || !std::isfinite(changed)) {
      return std::numeric_limits<double>::infinity();
    }
    shares.push_back(away <= rounding ? 0 : (away - rounding) / changed);
  }
  return shares.empty() ? 0 : middle_of(std::move(shares));
}

HalvesVerdict judge_by_halves(const std::function<Answer(const Request&)>& ask, TimedAnswer timed,
                              const check::Tolerance& tolerance, Random& random) {
  const double limit = most_apart(tolerance);
  HalvesVerdict verdict;
  verdict.shows_joined_steps = would_show(timed, limit);
  while (timed.request.steps > 1) {
    const std::uint64_t all = timed.request.steps, half = all / 2;
    const State start = state_of(timed.request.bodies), end = timed.answer.states.back();
    TimedAnswer first{continued(timed.request, start, half), {}};
    first.answer = ask(first.request);
    State middle = first.answer.states.back();
    TimedAnswer second{continued(timed.request, middle, all - half), {}};
    second.answer = ask(second.request);
    const double time = middle.time + second.answer.states.back().time;
    const double apart =
        distance_between(second.answer.states.back(), end, start, all, tolerance.digits);
    if (!(apart <= limit) || !(std::abs(time - end.time) <= most_time_apart * end.time)) {
      verdict.wrong = fmt::format(
          "{} steps in one go end elsewhere than {} and then {} (off by {:.1e} of the change)", all,
          half, all - half, apart);
      return verdict;
    }
    timed = random.bits() % 2 == 0 ? std::move(first) : std::move(second);
  }
  if (timed.request.steps == 1) verdict.wrong = judge_step(timed, tolerance, random);
  return verdict;
}

}  // namespace nbody::bench
