#pragma once

#include <limits>
#include <utility>

#include "check/mistakes/mistake.hpp"
#include "check/zoo/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody::check {

// A simulator that makes one mistake of the table.
class Mistaken : public Plain {
 public:
  Mistaken(const Problem& problem, const Mistake& mistake) : Plain(problem), mistake_(mistake) {
    softening_ = problem.softening;
  }

  void compute_accelerations() override {
    if (mistake_.moves_bodies) move_to_centre_of_mass();
    const Vectors<real> before = acceleration;
    Plain::compute_accelerations();
    if (mistake_.answer != nullptr) spoil_answer();
    switch (mistake_.accelerations) {
      case Accelerations::of_this_step:
        break;
      case Accelerations::of_the_first_step:
        if (computed_) acceleration = before;
        break;
      case Accelerations::of_the_step_before:
        moves_with_ = computed_ ? before : acceleration;
        break;
      case Accelerations::summed_over_steps:
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          add_acceleration(i, {before.x[i], before.y[i], before.z[i]});
        }
    }
    computed_ = true;
  }

  void update_bodies(real dt) override {
    const bool others = mistake_.accelerations == Accelerations::of_the_step_before;
    if (others) std::swap(acceleration, moves_with_);
    const StepFactors s = mistake_.scheme.at(as_double(dt));
    dt = step_length(dt);
    const real keep = real(s.keep), kick = real(s.kick) * dt, drift = real(s.drift) * dt,
               push = real(s.push) * dt * dt / 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const bool rests = bodies.vx[i] == 0 && bodies.vy[i] == 0 && bodies.vz[i] == 0;
      if (mistake_.scheme.rest_stays && rests) continue;
      bodies.qx[i] += bodies.vx[i] * drift + acceleration.x[i] * push;
      bodies.qy[i] += bodies.vy[i] * drift + acceleration.y[i] * push;
      bodies.qz[i] += bodies.vz[i] * drift + acceleration.z[i] * push;
      bodies.vx[i] = bodies.vx[i] * keep + acceleration.x[i] * kick;
      bodies.vy[i] = bodies.vy[i] * keep + acceleration.y[i] * kick;
      bodies.vz[i] = bodies.vz[i] * keep + acceleration.z[i] * kick;
    }
    if (others) std::swap(acceleration, moves_with_);
  }

  void kick(real dt) override { Plain::kick(real(mistake_.kick) * dt); }
  void drift(real dt) override { Plain::drift(real(mistake_.drift) * dt); }

  double advance(std::uint64_t steps, const StepRule& rule) override {
    if (rule.adaptive && mistake_.adaptive.loop != AdaptiveLoop::right) {
      return advance_adaptively(steps, rule);
    }
    const std::uint64_t made = mistake_.steps == nullptr ? steps : mistake_.steps(steps);
    stepping_ = true;
    const double floor = mistake_.adaptive.below_floor ? 0 : rule.dt_floor;
    const double time = Plain::advance(made, {rule.adaptive, rule.dt, floor});
    stepping_ = false;
    if (mistake_.reports_fixed_steps) return static_cast<double>(steps) * rule.dt;
    return time + (static_cast<double>(steps) - static_cast<double>(made)) * rule.dt;
  }

  real largest_time_step() override {
    if (mistake_.adaptive.never) return std::numeric_limits<real>::infinity();
    if (!mistake_.adaptive.smallest && bodies.size() > 1) return time_step_of(0);
    return Plain::largest_time_step();
  }

 protected:
  Triple acceleration_of(std::size_t i) const override {
    Triple sum = Plain::acceleration_of(i);
    if (mistake_.meets_itself) {
      const real inverse = inverse_distance(softening2 + real(mistake_.guard));
      sum += offset(i, i) * inverse * (G * inverse * inverse * bodies.mass[i]);
    }
    return sum;
  }

  Triple pull(std::size_t i, std::size_t j) const override {
    if (mistake_.factor == nullptr || (mistake_.only_in_steps && !stepping_))
      return Plain::pull(i, j);
    const Triple d = offset(i, j);
    const double factor = mistake_.factor({.i = i,
                                           .j = j,
                                           .n = bodies.size(),
                                           .distance2 = double(d.x * d.x + d.y * d.y + d.z * d.z),
                                           .softening = double(softening_),
                                           .mass_i = double(bodies.mass[i]),
                                           .mass_j = double(bodies.mass[j]),
                                           .G = double(G),
                                           .in_float = sizeof(real) == sizeof(float)});
    return Plain::pull(i, j) * real(factor);
  }

  real time_step_of(std::size_t i) const override {
    const AdaptiveStep& step = mistake_.adaptive;
    real nearest = step.counts_itself ? 0 : nearest_distance(i);
    if (step.softened) nearest = std::sqrt(nearest * nearest + softening2);
    const real distance = real(step.share) * nearest;
    if (!step.textbook_root) return time_to_cover(distance, i);
    const real v = Triple{bodies.vx[i], bodies.vy[i], bodies.vz[i]}.length();
    const real a = Triple{acceleration.x[i], acceleration.y[i], acceleration.z[i]}.length();
    return (std::sqrt(v * v + 2 * a * distance) - v) / a;
  }

 private:
  real step_length(real dt) {
    if (first_dt_ == 0) first_dt_ = last_dt_ = dt;
    const real before = std::exchange(last_dt_, dt);
    if (mistake_.moves_by == StepLength::of_the_first_step) return first_dt_;
    return mistake_.moves_by == StepLength::of_the_step_before ? before : dt;
  }

  double advance_adaptively(std::uint64_t steps, const StepRule& rule) {
    const AdaptiveLoop loop = mistake_.adaptive.loop;
    double time = 0, dt = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const bool first = step == 0;
      if (first || loop != AdaptiveLoop::first_accelerations_for_all) compute_accelerations();
      if (first || loop != AdaptiveLoop::first_step_for_all) {
        const double largest = as_double(largest_time_step());
        const bool floored = first || loop != AdaptiveLoop::floor_in_the_first_only;
        dt = largest < 1e300 ? largest : rule.dt;
        if (floored && dt < rule.dt_floor) dt = rule.dt_floor;
      }
      update_bodies(real(dt));
      time += dt;
      if (loop == AdaptiveLoop::one_step_only) break;
    }
    const bool spoilt = loop == AdaptiveLoop::not_a_number_at_the_end && steps > 1;
    if (spoilt) bodies.qx.back() = std::numeric_limits<real>::quiet_NaN();
    const bool from_last = loop == AdaptiveLoop::time_from_the_last;
    return from_last ? static_cast<double>(steps) * dt : time;
  }

  void spoil_answer() {
    Vectors<double> answer = in_precision<double>(acceleration);
    mistake_.answer(answer);
    acceleration = in_precision<real>(answer);
  }

  void move_to_centre_of_mass() {
    Triple centre;
    real total = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      centre += Triple{bodies.qx[i], bodies.qy[i], bodies.qz[i]} * bodies.mass[i];
      total += bodies.mass[i];
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.qx[i] -= centre.x / total;
      bodies.qy[i] -= centre.y / total;
      bodies.qz[i] -= centre.z / total;
    }
  }

  const Mistake& mistake_;
  real softening_;
  bool computed_ = false, stepping_ = false;
  real first_dt_ = 0, last_dt_ = 0;
  Vectors<real> moves_with_;
};

}  // namespace nbody::check
