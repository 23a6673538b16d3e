#include "check/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "check/error_measure.hpp"
#include "core/scheme.hpp"

namespace nbody::check {
namespace {

constexpr double time_limit = 1e-6;  // of fixed steps, or of all of them

double ratio(double miss, double bound) {
  if (!is_finite(miss)) return infinity;
  if (miss == 0) return 0;
  return bound > 0 ? miss / bound : infinity;
}

class Judge {
 public:
  Judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row)
      : test_(test),
        request_(test.request),
        setting_(test.request.setting),
        answer_(answer),
        tolerance_(tolerance),
        force_limit_(test.sums == Sums::plain      ? plain_sum_limit(tolerance, test.n())
                     : test.sums == Sums::promised ? tolerance.force
                                                   : force_limit(tolerance, test.n())),
        row_(row) {
    row_.verdict = Verdict::passed;
  }

  void all() {
    if (!finite()) return note(NAN, 1, "not every number of the state is finite");
    if (request_.steps == 0) {
      nothing_moved();
    } else if (!request_.every_state && setting_.integrator.empty()) {
      steps_in_one_go();
    } else {
      single_steps();
    }
    if (request_.accelerations) compare_accelerations();
  }

 private:
  // Of several judgements the row keeps the one with the largest share of its limit, or the first.
  void note(double error, double limit, const std::string& detail) {
    if (row_.limit == 0) row_.limit = limit;
    const double share = error == 0 ? 0 : error / limit;
    if (share <= share_ || is_nan(share_)) return;  // NaN is worse than anything
    share_ = share;
    row_.error = error;
    row_.limit = limit;
    row_.detail = detail;
    row_.verdict = judged(error, limit);
  }

  const State& end() const { return answer_.states.back(); }

  Reference reference_at(const State& state) const {
    if (request_.steps == 0) return test_.reference();
    return reference_accelerations(bodies_in(request_.bodies, state), setting_.G,
                                   setting_.softening, test_.rows);
  }

  // A program may keep more digits of its places than it answers: by so much its pulls differ from
  // those at the places that it answers, which shows where two bodies are close.
  void forgive_rounded_places(Reference& reference, const State& state) const {
    const Bodies<double> b = bodies_in(request_.bodies, state);
    const auto place = [&](std::size_t i) { return length(b.qx[i], b.qy[i], b.qz[i]); };
    for (std::size_t k = 0; k < test_.rows.size(); ++k) {
      const std::size_t i = test_.rows[k];
      for (std::size_t j = 0; j < b.size(); ++j) {
        const double r = distance(b, i, j);
        const double r2 = r * r + setting_.softening * setting_.softening;
        if (j == i || r2 == 0) continue;
        const double gradient = 2 * setting_.G * b.mass[j] / (r2 * std::sqrt(r2));
        const double moved = tolerance_.digits * (place(i) + place(j));
        reference.magnitude[k] += gradient * moved / force_limit_;
      }
    }
  }

  bool finite() const {
    return std::all_of(answer_.states.begin(), answer_.states.end(), [](const State& state) {
      return is_finite(state.position) && is_finite(state.velocity) && is_finite(state.time);
    });
  }

  void nothing_moved() {
    const State sent = state_of(request_.bodies);
    if (end().position == sent.position && end().velocity == sent.velocity) return;
    note(infinity, 1, "only accelerations were requested, but bodies moved or are not given back");
  }

  // By Eq. 4 and 5 every step from the state before it, so that the check stays sharp where motion
  // is chaotic. By an integrator the whole run again: it is too short for chaos.
  void single_steps() {
    std::unique_ptr<Simulation> run;
    if (!setting_.integrator.empty()) run = reference_integration(request_, test_.rows);
    Tolerance of_step = tolerance_;  // its forces may err as those of as many bodies may
    of_step.force = force_limit_;
    State before = state_of(request_.bodies);
    for (std::size_t k = 0; k < answer_.states.size() && row_.verdict == Verdict::passed; ++k) {
      const State& after = answer_.states[k];
      const double got = after.time - before.time;
      const bool first = k == 0;
      Reference reference = first ? test_.reference() : reference_at(before);
      double dt = setting_.dt;
      // An integrator that begins with a drift leaves later steps to the program, which may search
      // for neighbours with the forces.
      if (request_.adaptive && !first && scheme_named(setting_.integrator).begins_with_drift()) {
        dt = got;
      } else if (request_.adaptive) {
        const Bodies<double> bodies = bodies_in(request_.bodies, before);
        dt = adaptive_step(reference_time_step(bodies, reference.acceleration, test_.rows),
                           setting_);
      }
      judge_length(k, got, dt, adaptive_step_limit(first));
      State expected =
          stepped(before, reference.acceleration, request_.adaptive ? got : dt, test_.rows);
      if (run) {
        run->advance(1, {false, got, 0});
        expected = state_of(run->bodies());
      }
      const double roundings = run ? integrator_roundings * static_cast<double>(k + 1) : 1;
      const auto error_of_step = [&] {
        return state_error(expected, after, reference.magnitude, got, of_step, test_.rows,
                           roundings);
      };
      StepError error = error_of_step();
      if (!first && error.max > 0.5) {
        forgive_rounded_places(reference, before);
        error = error_of_step();
      }
      note(error.max, 1,
           fmt::format("step {}: the {} of body {} misses by {:.3g} times its bound", k + 1,
                       error.in_position ? "position" : "velocity", error.worst, error.max));
      before = after;
    }
  }

  // `adaptive`: what Eq. 7 says.
  void judge_length(std::size_t k, double got, double adaptive, double limit) {
    if (request_.adaptive) {
      return note(
          std::abs(got / adaptive - 1), limit,
          fmt::format("step {}: expected dt = {:.7g} s, got {:.7g} s", k + 1, adaptive, got));
    }
    // Of all steps so far: times are sums, whose rounding grows.
    const double time = answer_.states[k].time;
    const double expected = setting_.dt * static_cast<double>(k + 1);
    note(std::abs(time / expected - 1), time_limit,
         fmt::format("step {} of {} s ended at {:.7g} s", k + 1, setting_.dt, time));
  }

  // From rest dt goes with 1 / sqrt(a): its relative error is half that of a. In double the first
  // step is sharp; later ones start from rounded times.
  double adaptive_step_limit(bool first) const {
    if (first && tolerance_.digits < 1e-12) return 1e-12;
    return std::max(adaptive_limit, tolerance_.force / 2);
  }

  void steps_in_one_go() {
    // Few fixed steps err hardly more than their own forces.
    const bool few = !request_.adaptive && request_.steps < 10;
    // A raw reciprocal root errs the same way step after step: this matters where it is allowed.
    const double limit = std::max(few ? path_limit / 10 : path_limit, 5 * tolerance_.force);
    const Run& run = test_.run();
    const double off = miss_of(end(), run, tolerance_.digits);
    note(std::abs(end().time / run.end.time - 1), request_.adaptive ? path_limit : time_limit,
         fmt::format("{} steps took {:.7g} s, expected {:.7g} s", request_.steps, end().time,
                     run.end.time));
    note(off, limit,
         fmt::format("after {} steps bodies are off by {:.2g} of their path", request_.steps, off));
  }

  void compare_accelerations() {
    Reference reference = reference_at(end());
    const auto got = rows_of(answer_.accelerations, test_.rows);
    if (request_.steps > 0 && force_error(reference, got).max > force_limit_ / 2) {
      forgive_rounded_places(reference, end());
    }
    compare(reference, answer_.accelerations);
  }

  void compare(const Reference& reference, const Vectors<double>& all) {
    const ForceError error = force_error(reference, rows_of(all, test_.rows));
    note(is_finite(all) ? error.max : NAN, force_limit_,
         fmt::format("worst body {}: expected a = ({:.7g}, {:.7g}, {:.7g}), got ({:.7g}, {:.7g}, "
                     "{:.7g})",
                     test_.rows[error.worst], error.expected.x, error.expected.y, error.expected.z,
                     error.got.x, error.got.y, error.got.z));
  }

  const Case& test_;
  const Request& request_;
  const Setting& setting_;
  const Answer& answer_;
  const Tolerance& tolerance_;
  const double force_limit_;
  Row& row_;
  double share_ = 0;
};

}  // namespace

void judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row) {
  Judge(test, answer, tolerance, row).all();
}

// Of body i.
static StepError body_error(const State& expected, const State& got, std::size_t i,
                            double magnitude, double dt, const Tolerance& tolerance,
                            double roundings) {
  const auto miss = [&](const Vectors<double>& is, const Vectors<double>& should) {
    return length(is.x[i] - should.x[i], is.y[i] - should.y[i], is.z[i] - should.z[i]);
  };
  const double pull = tolerance.force * magnitude * dt;
  const double speed = std::max(length(expected.velocity, i), length(got.velocity, i));
  const double place = std::max(length(expected.position, i), length(got.position, i));
  const double of_velocity = roundings * (pull + 5 * tolerance.digits * speed);
  const double of_position = roundings * (pull * dt + 6 * tolerance.digits * (place + speed * dt));
  const StepError velocity{ratio(miss(got.velocity, expected.velocity), of_velocity), i, false};
  const StepError position{ratio(miss(got.position, expected.position), of_position), i, true};
  return position.max <= velocity.max ? velocity : position;
}

StepError state_error(const State& expected, const State& got, const std::vector<double>& magnitude,
                      double dt, const Tolerance& tolerance, const std::vector<std::size_t>& rows,
                      double roundings) {
  StepError error;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const StepError of_body =
        body_error(expected, got, rows[k], magnitude[k], dt, tolerance, roundings);
    if (!(of_body.max <= error.max)) error = of_body;
  }
  return error;
}

}  // namespace nbody::check
