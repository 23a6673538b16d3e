#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/case_list.hpp"
#include "physics/scheme.hpp"

namespace nbody::check {

// How fast a program answers, and so how long the next answer will take.
class Pace {
 public:
  static constexpr double longest_answer = 4;  // s; what takes longer is left out
  static constexpr double quick_answer = 0.5;  // s; very many bodies must not take longer

  void note(const Case& test, double seconds) {
    if (test.n() < enough_to_time) return;
    // With few bodies an answer is mostly its way: the most bodies tell best what more will take.
    if (test.n() < most_bodies_) return;
    most_bodies_ = test.n();
    of_most_ = seconds / interactions(test);
  }

  bool is_too_slow_for(const Case& test) const {
    const double all = interactions(test);
    if (test.n() >= very_many_from)
      return most_bodies_ < many_from || of_most_ * all > quick_answer;
    return test.n() > enough_to_time && of_most_ * all > longest_answer;
  }

  // Of all pairs, forces and searches for neighbours alike.
  static double interactions(const Case& test) {
    const auto n = static_cast<double>(test.n());
    const protocol::Request& request = test.request;
    const double of_step =
        scheme_named(request.setting.integrator).evaluations + (request.adaptive ? 1 : 0);
    const double others = (request.setting.integrator.empty() ? 0 : 1) +
                          (request.want_accelerations ? 1 : 0) + (request.want_jerk ? 2 : 0);
    return n * n * (static_cast<double>(request.steps) * of_step + others);
  }

 private:
  static constexpr std::size_t enough_to_time = 900;  // bodies
  std::size_t most_bodies_ = 0;                       // of an answer so far,
  double of_most_ = 0;                                // and its seconds per interaction
};

// How long the cases of a check will still take, by what they cost so far.
class TimeLeft {
 public:
  TimeLeft(const std::vector<Case>& cases, std::uint64_t seeds) : seeds_(seeds) {
    for (const Case& test : cases) all_ += work(test);
    left_ = all_;
  }

  // A case was asked, or left out.
  void note(const Case& test, bool asked) {
    left_ -= work(test);
    if (asked) done_ += work(test);
  }

  // Seconds, if so many have passed; 0 if it is too early to say. One second more than computed, so
  // that it never says that nothing is left.
  double after(double seconds) const {
    if (seconds < 1 || 10 * done_ < all_) return 0;
    return seconds / done_ * (left_ + all_ * static_cast<double>(seeds_ - 1)) + 1;
  }

 private:
  // Very many bodies are asked only where that costs nothing. Sending a request and judging its
  // answer cost as much as some interactions.
  static double work(const Case& test) {
    constexpr double of_request = 1e5;
    return of_request + (test.n() < very_many_from ? Pace::interactions(test) : 0);
  }

  std::uint64_t seeds_;  // with this one
  double all_ = 0, done_ = 0, left_ = 0;
};

}  // namespace nbody::check
