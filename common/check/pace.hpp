#pragma once

#include <algorithm>

#include "check/case_list.hpp"

namespace nbody::check {

inline constexpr double longest_answer = 2;  // s; what takes longer is left out
inline constexpr double quick_answer = 0.5;  // s; very many bodies must not take longer

// How fast a program answers, and so how long the next answer will take.
class Pace {
 public:
  void note(const Case& test, double seconds) {
    if (test.n() < enough_to_time) return;
    const double of_one = seconds / interactions(test);
    slowest_ = std::max(slowest_, of_one);
    // With few bodies an answer is mostly its way: the most bodies tell best what more will take.
    if (test.n() < most_bodies_) return;
    most_bodies_ = test.n();
    of_most_ = of_one;
  }

  bool is_too_slow_for(const Case& test) const {
    const double all = interactions(test);
    if (test.n() >= very_many_from)
      return most_bodies_ < many_from || of_most_ * all > quick_answer;
    return test.n() > enough_to_time && slowest_ * all > longest_answer;
  }

 private:
  static constexpr std::size_t enough_to_time = 900;  // bodies

  double slowest_ = 0;           // seconds per interaction
  std::size_t most_bodies_ = 0;  // of an answer so far,
  double of_most_ = 0;           // and its seconds per interaction

  // Of all pairs, forces and searches for neighbours alike.
  static double interactions(const Case& test) {
    const auto n = static_cast<double>(test.n());
    const protocol::Request& request = test.request;
    const std::uint64_t visits = request.steps * (request.adaptive ? 2 : 1) +
                                 (request.want_accelerations ? 1 : 0) + (request.want_jerk ? 2 : 0);
    return n * n * static_cast<double>(visits);
  }
};

}  // namespace nbody::check
