#pragma once

#include <cstddef>

#include "check/case_list.hpp"
#include "core/scheme.hpp"

namespace nbody::check {

// How fast a program answers, and so how long the next answer will take.
class Pace {
 public:
  static constexpr double quick_answer = 0.5;  // s; very many bodies must not take longer

  explicit Pace(bool thorough) : longest_answer(thorough ? 8 : 4) {}
  const double longest_answer;  // s; what takes longer is left out

  void note(const Case& test, double seconds) {
    const std::uint64_t steps = test.request.steps;
    if (steps >= enough_steps) of_step_ = seconds / static_cast<double>(steps);
    if (test.n() < enough_to_time) return;
    // With few bodies an answer is mostly its way: the most bodies tell best what more will take.
    if (test.n() < most_bodies_) return;
    most_bodies_ = test.n();
    of_most_ = seconds / interactions(test);
  }

  bool is_too_slow_for(const Case& test) const {
    if (test.request.steps >= very_many_steps) {
      return of_step_ * static_cast<double>(test.request.steps) > longest_answer;
    }
    const double all = interactions(test);
    if (test.n() >= very_many_from)
      return most_bodies_ < sampled_from || of_most_ * all > quick_answer;
    return test.n() > enough_to_time && of_most_ * all > longest_answer;
  }

  // Of all pairs, forces and searches for neighbours alike.
  static double interactions(const Case& test) {
    const auto n = static_cast<double>(test.n());
    const Request& request = test.request;
    const double of_step =
        scheme_named(request.setting.integrator).evaluations + (request.adaptive ? 1 : 0);
    const double others = (request.setting.integrator.empty() ? 0 : 1) +
                          (request.accelerations ? 1 : 0) + (request.jerk ? 2 : 0);
    return n * n * (static_cast<double>(request.steps) * of_step + others);
  }

 private:
  static constexpr std::size_t enough_to_time = 900;  // bodies
  static constexpr std::uint64_t enough_steps = 1000;
  double of_step_ = 0;           // s, of few bodies
  std::size_t most_bodies_ = 0;  // of an answer so far,
  double of_most_ = 0;           // and its seconds per interaction
};

}  // namespace nbody::check
