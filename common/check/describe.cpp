#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/case_list.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/seen.hpp"

// What a wrong answer looks like, where nobody knows what makes it so.

namespace nbody::check {
namespace {

// Each of the wrong bodies has the answer of another of them.
template <typename HoldsAnswerOf>
bool in_each_others_place(const std::vector<std::size_t>& wrong, const HoldsAnswerOf& holds) {
  return wrong.size() > 1 && std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
           return std::any_of(wrong.begin(), wrong.end(),
                              [&](std::size_t j) { return holds(i, j); });
         });
}

// Are nearly all bodies from the first wrong one on wrong, and only these? A heavy one among them
// may be right by itself.
bool is_a_tail(const Seen& seen) {
  const std::size_t first = seen.wrong.front(), n = seen.bodies.size();
  return first > 1 && 10 * seen.wrong.size() >= 9 * (n - first);
}

// --- forces --------------------------------------------------------------------------------------

Cause about_order(const Seen& seen) {
  const Vectors<double>& right = seen.reference.acceleration;
  if (!in_each_others_place(seen.wrong, [&](std::size_t i, std::size_t j) {
        return length(seen.got.x[i] - right.x[j], seen.got.y[i] - right.y[j],
                      seen.got.z[i] - right.z[j]) <= seen.fit * seen.reference.magnitude[j];
      })) {
    return {};
  }
  if (seen.wrong.size() == 2) {
    return {"order", fmt::format("bodies {} and {} have each other's acceleration: swapped",
                                 seen.wrong[0], seen.wrong[1])};
  }
  return {"order",
          fmt::format("{} bodies have the accelerations of other bodies: were they sorted, and the "
                      "results not put back?",
                      seen.wrong.size())};
}

Cause about_silence(const Seen& seen) {
  const std::vector<std::size_t>& wrong = seen.wrong;
  const bool feel_nothing = std::all_of(wrong.begin(), wrong.end(),
                                        [&](std::size_t i) { return length(seen.got, i) == 0; });
  if (!feel_nothing || wrong.size() == seen.got.size()) return {};
  return {"targets_skipped", wrong.size() == 1 ? fmt::format("body {} feels nothing", wrong.front())
                                               : fmt::format("body {} and {} others feel nothing",
                                                             wrong.front(), wrong.size() - 1)};
}

// Only one axis is wrong, in whatever way, for half of the bodies or more.
Cause about_one_axis(const Seen& seen) {
  const Vectors<double>& right = seen.reference.acceleration;
  const std::size_t n = seen.got.size();
  std::vector<std::size_t> wrong_axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::size_t misses = 0, pulled = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double scale = seen.fit * seen.reference.magnitude[i], a = (right.*axes[axis])[i];
      misses += std::abs((seen.got.*axes[axis])[i] - a) <= scale ? 0 : 1;
      pulled += std::abs(a) > scale ? 1 : 0;
    }
    // Along an axis without pull every mistake is right. And a few bodies that miss are rounding,
    // or another mistake.
    if (n < 3 || pulled == 0 || (misses > 0 && 2 * misses < n)) return {};
    if (misses > 0) wrong_axes.push_back(axis);
  }
  if (wrong_axes.size() != 1) return {};
  return {
      "one_axis",
      fmt::format("only the {} component is wrong: is there a wrong letter, a wrong sign, or `=` "
                  "where `+=` belongs, in one of its lines?",
                  "xyz"[wrong_axes.front()])};
}

std::vector<Fact> facts_of_forces(const Seen& seen) {
  if (seen.wrong.empty() || !is_finite(seen.got)) return {};
  std::vector<Fact> facts = {{about_silence(seen)}, {about_order(seen)}};
  if (is_a_tail(seen)) {
    facts.push_back(
        {{"wrong_tail",
          fmt::format("only the bodies from index {} on are wrong: is a last batch, tile "
                      "or part computed in another way?",
                      seen.wrong.front())},
         true});
  }
  facts.push_back({about_one_axis(seen), true});
  return facts;
}

// --- the length of a step ------------------------------------------------------------------------

std::vector<Fact> facts_of_length(const Seen& seen) {
  const double got = seen.length();
  if (!seen.test.request.adaptive) {
    return {
        {{"time", fmt::format("a step of {} s took {} s: the time returned by advance() is wrong",
                              seen.expected, got)}}};
  }
  if (seen.bodies.size() == 1) {
    return {{{"single", "a single body has no largest step: use the fixed dt"}}};
  }
  std::vector<Fact> facts;
  const Vectors<double>& a = seen.reference.acceleration;
  if (seen.stepped_to(stepped(seen.before, a, seen.expected, all_rows(seen.test.n())),
                      seen.expected)) {
    facts.push_back(
        {{"time", "the bodies move by the right step, but advance() returns another time"}});
  }
  const std::string later =
      seen.step == 1 ? ""
                     : fmt::format(
                           "; the step before it is right, so is something of that one kept, "
                           "such as distances? This is step {}",
                           seen.step);
  facts.push_back({{"ratio", fmt::format("the step is {:.6g} times as long as Eq. 7 says{}",
                                         got / seen.expected, later)},
                   true});
  return facts;
}

// --- the motion of a step ------------------------------------------------------------------------

std::vector<Fact> facts_of_bodies(const Seen& seen, const State& expected, double roundings) {
  if (seen.wrong.empty()) return {};
  const std::vector<double>& magnitude = seen.reference.magnitude;
  if (in_each_others_place(seen.wrong, [&](std::size_t i, std::size_t j) {
        return body_error(expected, j, seen.after, i, magnitude[j], seen.length(), seen.tolerance,
                          roundings)
                   .max <= 1;
      })) {
    return {{{"order_of_bodies",
              fmt::format("{} bodies are where others of them should be: are they sorted again in "
                          "each step? Their new order counts from the sorted ones, not from those "
                          "that were sent",
                          seen.wrong.size())}}};
  }
  if (!is_a_tail(seen)) return {};
  const bool stay = std::all_of(seen.wrong.begin(), seen.wrong.end(), [&](std::size_t i) {
    return distance(seen.before.position, seen.after.position, i) == 0;
  });
  if (stay) {  // of so many bodies that the row's own program would take too long
    const Mistake row =
        with_number(*mistake_named("bodies_stay"), static_cast<double>(seen.wrong.front()));
    return {{{row.seen_as(), sentence_of(row, seen.shown())}}};
  }
  return {{{"tail", fmt::format("only the bodies from index {} on are moved wrongly: a tail that a "
                                "loop treats differently, or whose forces are wrong in a step?",
                                seen.wrong.front())}}};
}

std::vector<Fact> facts_of_motion(const Seen& seen) {
  const std::vector<std::size_t> all = all_rows(seen.test.n());
  const double dt = seen.length();
  std::vector<Fact> facts =
      facts_of_bodies(seen, stepped(seen.before, seen.reference.acceleration, dt, all), 4);
  const std::string later =
      seen.step == 1 ? ""
                     : fmt::format(
                           ". Step {} is the first that is wrong: is something of an earlier "
                           "one kept, such as a copy of the bodies?",
                           seen.step);
  if (seen.stepped_to(stepped(seen.before, seen.got, dt, all), dt)) {
    facts.push_back(
        {{other_accelerations,
          (seen.test.request.accelerations
               ? "the step moves bodies with other accelerations than those it computes "
                 "when asked"
               : "the step goes by Eq. 4 and 5, but with wrong accelerations") +
              later},
         true});
  } else if (seen.test.request.adaptive) {
    facts.push_back({{"other_step",
                      "the bodies do not move by the step that advance() returns: Eq. 4 and 5 with "
                      "another dt?"},
                     true});
  }
  return facts;
}

// Steps in one go that end elsewhere: either the places or the velocities are right.
std::vector<Fact> facts_of_a_run(const Seen& seen) {
  const Run& run = seen.test.run();
  const auto is_right = [&](const State& state) {
    return miss_of(state, run, seen.tolerance.digits) <= path_limit;
  };
  if (is_right(seen.after)) {
    if (seen.test.request.adaptive) return {};
    return {
        {{"time", fmt::format("the bodies move by the right steps, but advance() returns another "
                              "time: {:.7g} s instead of {:.7g} s",
                              seen.after.time, run.end.time)}}};
  }
  if (seen.test.n() == 1) return {};  // its velocity stays as it is
  State other = seen.after;
  other.velocity = run.end.velocity;
  const bool places = is_right(other);
  other = seen.after;
  other.position = run.end.position;
  if (!places && !is_right(other)) return {};
  return {{{places ? "last_kick" : "last_drift",
            fmt::format("after {} steps in one go the {} are right, the {} are not: is the last {} "
                        "missing, or made twice?",
                        seen.test.request.steps, places ? "places" : "velocities",
                        places ? "velocities" : "places", places ? "kick" : "drift")},
           true}};
}

// What a step of a scheme asks of a simulator, beyond Eq. 4 and 5.
const char* asked_by(const Scheme& scheme) {
  if (scheme.needs_jerk()) return "accelerations_and_jerk()";
  if (scheme.sequence.empty()) return "what a new simulator computes for bodies that were moved";
  return "kick() and drift()";
}

std::vector<Fact> facts_of_a_scheme(const Seen& seen) {
  const Request& request = seen.test.request;
  const std::string& scheme = request.setting.integrator;
  return {{{"integrator",
            fmt::format("right by Eq. 4 and 5, wrong by {}{}: look at {}{}", scheme,
                        request.adaptive ? " with an adaptive step" : "",
                        asked_by(scheme_named(scheme)),
                        request.adaptive ? ", and at whether each step is computed anew" : "")},
           true}};
}

}  // namespace

Cause about_not_finite(const Seen& seen) {
  const std::size_t n = seen.got.size();
  std::size_t count = 0, nans = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a[] = {seen.got.x[i], seen.got.y[i], seen.got.z[i]};
    count += std::any_of(a, a + 3, [](double value) { return !is_finite(value); });
    nans += std::any_of(a, a + 3, is_nan);
  }
  if (count == 0) return {};
  const std::string which =
      count == n ? "every body is"
                 : fmt::format("{} of {} bodies {}", count, n, count == 1 ? "is" : "are");
  if (nans == 0) {
    return {"not_finite", which + " infinite: a division by zero, or a number beyond its range"};
  }
  if (count == n && seen.test.request.setting.softening == 0) {
    return {"not_finite",
            which + " NaN: 0/0? Without softening a body must not meet itself (i == j)"};
  }
  return {"not_finite",
          which +
              " NaN: 0/0 (a body and padding in one place?), infinity minus infinity, or "
              "memory that was never written"};
}

std::vector<Fact> facts_of(const Seen& seen) {
  std::vector<Fact> facts;
  const Request& request = seen.test.request;
  if (seen.test.group == Group::jerk) {
    facts = {{{"jerk",
               "compute_accelerations() is right, accelerations_and_jerk() is not: da/dt, or the "
               "accelerations beside it"}}};
  } else if (request.steps == 0) {
    facts = facts_of_forces(seen);
  } else if (!request.setting.integrator.empty()) {
    facts = facts_of_a_scheme(seen);
  } else if (seen.step > 0) {
    facts = seen.right_length() ? facts_of_motion(seen) : facts_of_length(seen);
  } else if (is_in_one_go(seen.test) && seen.before.position.size() > 0) {
    facts = facts_of_a_run(seen);
  }
  std::erase_if(facts, [](const Fact& fact) { return !fact.cause.is_known(); });
  return facts;
}

}  // namespace nbody::check
