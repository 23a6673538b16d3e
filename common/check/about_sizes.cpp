#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "check/evidence.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t widest = 256;  // block of a loop
constexpr std::size_t enough = 20;   // sizes that are right, to blame one that is not

// Wrong where one rest is left, and nowhere else.
Cause about_rests(const std::set<std::size_t>& wrong, const std::set<std::size_t>& right) {
  for (std::size_t width = 2; width <= widest; ++width) {
    const std::size_t rest = *wrong.begin() % width;
    const auto has_rest = [&](std::size_t n) { return n % width == rest; };
    const auto in_range = [&](std::size_t n) { return n >= *wrong.begin() && has_rest(n); };
    if (!std::all_of(wrong.begin(), wrong.end(), has_rest) ||
        std::any_of(right.begin(), right.end(), in_range)) {
      continue;
    }
    if (rest == 0) {
      return {"multiples",
              fmt::format("wrong where the number of bodies is a multiple of {}, right otherwise: "
                          "does a loop over blocks stop one too early?",
                          width)};
    }
    return {"remainder",
            fmt::format("wrong where the number of bodies leaves a remainder of {} when divided by "
                        "{}, right otherwise",
                        rest, width)};
  }
  return {};
}

// Is it the number of steps by which the cases that fail differ from all others?
Cause about_steps(const std::vector<const Failure*>& failures,
                  const std::vector<const Case*>& passed) {
  std::set<std::uint64_t> wrong, right;
  for (const Failure* failure : failures) wrong.insert(failure->test->request.steps);
  for (const Case* test : passed) right.insert(test->request.steps);
  for (const std::uint64_t steps : wrong) {
    if (right.count(steps) > 0) return {};
  }
  return {
      "number_of_steps",
      fmt::format("wrong after {} steps, right after {}: is something done in every so many "
                  "steps only, or in the last one?",
                  fmt::join(wrong, " and "),
                  *right.rbegin() < *wrong.begin() ? "fewer of them" : "other numbers of them")};
}

}  // namespace

Cause about_sizes(const std::vector<const Failure*>& failures,
                  const std::vector<const Case*>& passed) {
  std::set<std::size_t> wrong, right;
  for (const Failure* failure : failures) wrong.insert(failure->test->n());
  for (const Case* test : passed) {
    if (wrong.count(test->n()) == 0) right.insert(test->n());
  }
  const bool passed_too = std::any_of(passed.begin(), passed.end(),
                                      [&](const Case* test) { return wrong.count(test->n()) > 0; });
  if (right.size() < 3 || (wrong.size() < 3 && passed_too)) return {};
  if (*wrong.begin() > *right.rbegin()) {
    return {
        "too_many",
        fmt::format("right up to {} bodies, wrong with {} and more: is an array or an index too "
                    "small?",
                    *right.rbegin(), *wrong.begin())};
  }
  if (wrong.size() < 3) {
    const Cause steps = about_steps(failures, passed);
    if (steps.is_known() || right.size() < enough) return steps;
    return {"multiples",
            fmt::format("wrong with {} bodies, right with {} other numbers of bodies: {} of what a "
                        "loop, a tile or a block takes at a time?",
                        fmt::join(wrong, " and "), right.size(),
                        wrong.size() > 1 ? "are these multiples" : "is that a multiple")};
  }
  const Cause rest = about_rests(wrong, right);
  if (rest.is_known()) return rest;
  for (std::size_t width = 2; width <= widest; ++width) {
    const auto multiple = [&](std::size_t n) { return n % width == 0; };
    if (std::none_of(wrong.begin(), wrong.end(), multiple) &&
        std::all_of(right.begin(), right.end(), multiple)) {
      return {"remainder", fmt::format("right only where the number of bodies is a multiple of {}: "
                                       "which loop takes the rest?",
                                       width)};
    }
  }
  return {};
}

}  // namespace nbody::check
