#pragma once

#include "check/case.hpp"
#include "core/scheme.hpp"

namespace nbody::check {

// How fast a program answers, and so how long the next answer will take.
class Pace {
 public:
  explicit Pace(bool thorough) : longest_answer(thorough ? 8 : 4), thorough_(thorough) {}
  const double longest_answer;  // s; what takes longer is left out

  void note(const Case& test, double seconds) {
    const auto steps = static_cast<double>(test.request.steps);
    if (steps >= 1000) of_step_ = seconds / steps;
    // With few bodies an answer is mostly its way: the most bodies tell best what more will take.
    if (test.n() < most_bodies_) return;
    most_bodies_ = test.n();
    of_pair_ = seconds / pairs(test);
  }

  bool is_too_slow_for(const Case& test) const {
    const bool must_be_quick = !thorough_ && test.n() >= very_many_from;  // an extra
    return of_step_ * static_cast<double>(test.request.steps) + of_pair_ * pairs(test) >
           (must_be_quick ? 0.5 : longest_answer);
  }

 private:
  // Forces and searches for neighbours alike.
  static double pairs(const Case& test) {
    const auto n = static_cast<double>(test.n());
    const Request& request = test.request;
    const double of_step =
        scheme_named(request.setting.integrator).evaluations + (request.adaptive ? 1 : 0);
    const double others =
        (request.setting.integrator.empty() ? 0 : 1) + (request.accelerations ? 1 : 0);
    return n * n * (static_cast<double>(request.steps) * of_step + others);
  }

  const bool thorough_;
  double of_step_ = 0;             // s, of few bodies
  std::size_t most_bodies_ = 900;  // of an answer so far,
  double of_pair_ = 0;             // and its seconds for a pair
};

}  // namespace nbody::check
