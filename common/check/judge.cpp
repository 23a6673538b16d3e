#include "check/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "check/worst.hpp"
#include "core/scheme.hpp"

namespace nbody::check {
namespace {

Reference reference_at(const Request& request, const State& state,
                       const std::vector<std::size_t>& rows) {
  return reference_accelerations(bodies_in(request.bodies, state), request.setting.G,
                                 request.setting.softening, rows);
}

class Judge {
 public:
  Judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row)
      : test_(test),
        request_(test.request),
        answer_(answer),
        tolerance_(tolerance),
        row_(row),
        worst_(row) {
    of_step_.force = force_limit(tolerance, test.n());
  }

  void all() {
    if (!finite()) return worst_.note(NAN, 1, "not every number of the state is finite");
    const bool moves = request_.steps > 0 && (request_.adaptive || request_.setting.dt != 0);
    if (!moves) {
      nothing_moved();
    } else if (!request_.setting.integrator.empty()) {
      steps_of_an_integrator();
    } else if (request_.every_state) {
      single_steps();
    } else {
      steps_in_one_go();
    }
    if (request_.accelerations) accelerations();
    if (request_.jerk) jerk();
  }

 private:
  const State& end() const { return answer_.states.back(); }
  State start() const { return state_of(request_.bodies); }

  bool finite() const {
    return std::all_of(answer_.states.begin(), answer_.states.end(), [](const State& state) {
      return is_finite(state.position) && is_finite(state.velocity) && is_finite(state.time);
    });
  }

  void nothing_moved() {
    worst_.expect(request_.accelerations ? force_limit(tolerance_, test_.n()) : 1);
    const State sent = start();
    const bool same = end().position == sent.position && end().velocity == sent.velocity;
    const char* why = request_.steps > 0
                          ? "the bodies moved although no time passed"
                          : "only accelerations were requested, but the bodies moved";
    if (!same) worst_.note(infinity, 1, why);
  }

  void note_misses(const StepError& error, const std::string& step) {
    worst_.note(error.max, 1,
                fmt::format("{}: the {} of body {} misses by {:.3g} times its bound", step,
                            error.in_position ? "position" : "velocity", error.worst, error.max));
  }

  // Every step from the state before it, so that the check stays sharp where motion is chaotic.
  void single_steps() {
    worst_.expect(1);
    State before = start();
    for (std::size_t step = 0; step < answer_.states.size() && !worst_.failed(); ++step) {
      const State& after = answer_.states[step];
      const Reference reference =
          step == 0 ? test_.reference() : reference_at(request_, before, test_.rows);
      const double dt = length_of(step, before, after, reference.acceleration);
      const StepError error = state_error(stepped(before, reference.acceleration, dt, test_.rows),
                                          after, reference.magnitude, dt, of_step_, test_.rows);
      note_misses(error, fmt::format("step {}", step + 1));
      before = after;
    }
  }

  // The length of a step by which its bodies must have moved: as reported, if that is right.
  double length_of(std::size_t step, const State& before, const State& after,
                   const Vectors<double>& acceleration) {
    const double got = after.time - before.time, dt = request_.setting.dt;
    if (!request_.adaptive) {
      // Of all steps so far: times are sums, whose rounding grows.
      const double time = dt * static_cast<double>(step + 1);
      if (!(std::abs(after.time - time) <= time_limit * time)) {
        worst_.note(infinity, 1,
                    fmt::format("step {} of {} s ended at {:.7g} s", step + 1, dt, after.time));
      }
      return dt;
    }
    const double expected = adaptive_step(
        reference_time_step(bodies_in(request_.bodies, before), acceleration, test_.rows),
        request_.setting);
    worst_.note(
        std::abs(got / expected - 1), adaptive_step_limit(step),
        fmt::format("step {}: expected dt = {:.7g} s, got {:.7g} s", step + 1, expected, got));
    return got;
  }

  // From rest dt goes with 1 / sqrt(a): its relative error is half that of a. In double the first
  // step is sharp; later ones start from rounded times.
  double adaptive_step_limit(std::size_t step) const {
    if (step == 0 && tolerance_.digits < 1e-12) return 1e-12;
    return std::max(adaptive_limit, tolerance_.force / 2);
  }

  void steps_in_one_go() {
    // Few fixed steps err hardly more than their own forces.
    const bool few = !request_.adaptive && request_.steps < 10;
    const double limit = std::max(few ? path_limit / 10 : path_limit, 2 * tolerance_.force);
    worst_.expect(limit);
    const Run& run = test_.run();
    const double late = std::abs(end().time / run.end.time - 1);
    const double off = miss_of(end(), run, tolerance_.digits);
    worst_.note(late, request_.adaptive ? path_limit : time_limit,
                fmt::format("{} steps took {:.7g} s, expected {:.7g} s", request_.steps, end().time,
                            run.end.time));
    worst_.note(
        off, limit,
        fmt::format("after {} steps bodies are off by {:.2g} of their path", request_.steps, off));
  }

  // The whole run again: it is too short for chaos.
  void steps_of_an_integrator() {
    worst_.expect(1);
    const Setting& setting = request_.setting;
    const bool begins_with_drift = scheme_named(setting.integrator).begins_with_drift();
    // One goes by its own steps, the other by the reported ones, whose last digits differ.
    Integration<double> by_rule = reference_integration(request_, test_.rows);
    Integration<double> run = reference_integration(request_, test_.rows);
    const std::uint64_t steps = request_.every_state ? 1 : request_.steps;
    const StepRule rule = {request_.adaptive, setting.dt, setting.dt_floor};
    State before = start();
    for (std::size_t step = 0; step < answer_.states.size() && !worst_.failed(); ++step) {
      const State& after = answer_.states[step];
      const double got = after.time - before.time;
      double expected = setting.dt * static_cast<double>(steps);
      if (rule.adaptive) {
        // A scheme that begins with a drift leaves later steps to the program, which may search for
        // neighbours with the forces.
        expected = step > 0 && begins_with_drift ? got : by_rule.advance(steps, rule);
      }
      const double miss = std::abs(got / expected - 1);
      const double limit =
          rule.adaptive ? (step > 0 ? 2 : 1) * adaptive_step_limit(step) : time_limit;
      row_.wrong_length = row_.wrong_length || (rule.adaptive && !(miss <= limit));
      worst_.note(miss, limit,
                  fmt::format("step {} of {}: expected dt = {:.7g} s, got {:.7g} s", step + 1,
                              setting.integrator, expected, got));
      run.advance(steps, {false, got / static_cast<double>(steps), 0});
      Bodies<double> place = request_.bodies;
      run.simulator().copy_state(place);
      const StepError error =
          state_error(state_of(place), after, test_.reference().magnitude, got, of_step_,
                      test_.rows, integrator_roundings * static_cast<double>(step + steps));
      note_misses(error, fmt::format("step {} of {}", step + 1, setting.integrator));
      before = after;
    }
  }

  void accelerations() {
    const Vectors<double>& got = answer_.accelerations;
    if (request_.steps == 0) return compare(test_.reference(), got);
    compare(reference_at(request_, end(), test_.rows), got);
  }

  void jerk() {
    compare(reference_jerk(bodies_in(request_.bodies, end()), request_.setting.G,
                           request_.setting.softening, test_.rows),
            answer_.jerk);
  }

  void compare(const Reference& reference, const Vectors<double>& all) {
    const double limit = force_limit(tolerance_, test_.n());
    worst_.expect(limit);
    ForceError error = force_error(reference, rows_of(all, test_.rows));
    error.worst = test_.rows[error.worst];
    worst_.note(is_finite(all) ? error.max : NAN, limit, describe_force_error(error));
  }

  const Case& test_;
  const Request& request_;
  const Answer& answer_;
  const Tolerance& tolerance_;
  Tolerance of_step_ = tolerance_;  // its forces may err as those of as many bodies may
  Row& row_;
  Worst worst_;
};

}  // namespace

void judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row) {
  Judge(test, answer, tolerance, row).all();
}

}  // namespace nbody::check
