#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "core/reference.hpp"
#include "core/scheme.hpp"
#include "simulator/contract.hpp"

namespace nbody {

// A simulator moved by a scheme. It uses the simulator's own kicks and drifts. What they cannot
// express (a stage of Runge-Kutta, a prediction and the jerk, damped velocities) is computed here,
// and a new simulator starts from the result: so every implementation runs every scheme.
template <typename T>
class Integration {
 public:
  using Simulator = SimulatorOf<T>;
  using Make = std::function<std::unique_ptr<Simulator>(ProblemOf<T>&)>;

  Integration(const Scheme& scheme, double damping, Make make, ProblemOf<T> problem)
      : scheme_(scheme), damping_(damping), make_(std::move(make)), problem_(std::move(problem)) {
    simulator_ = make_(problem_);
  }

  // Returns the time simulated, working units.
  double advance(std::uint64_t steps, const StepRule& rule) {
    // A, Eq. 4 and 5: the simulator's own loop.
    if (scheme_.sequence.size() == 2 && damping_ == 1) {
      evaluations_ += steps;
      return simulator_->advance(steps, rule);
    }
    double time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) time += this->step(rule);
    // A caller that times these steps needs them finished, but a GPU may still be working: reading
    // the state waits for it.
    state();
    return time;
  }

  Simulator& simulator() { return *simulator_; }

  Bodies<T> state() const {
    Bodies<T> now = problem_.bodies;
    simulator_->copy_state(now);
    return now;
  }
  Vectors<T> accelerations() const {
    Vectors<T> a;
    a.resize(problem_.bodies.size());
    simulator_->copy_accelerations(a);
    return a;
  }

  // Of the forces, so far.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  double step(const StepRule& rule) {
    if (scheme_.hermite) return hermite_step(rule);
    return scheme_.sequence.empty() ? runge_kutta_step(rule) : sequence_step(rule);
  }

  // The first accelerations decide the time step.
  double sequence_step(const StepRule& rule) {
    const bool begins_with_them = scheme_.sequence.front().move == Move::accelerations;
    if (scheme_.evaluations > 0 && (begins_with_them || !known_)) evaluate();
    double dt = simulator_->step_by(rule);
    if (scheme_.symmetric_step && rule.adaptive) dt = symmetric_step(dt, rule);
    apply_sequence(dt);
    return dt;
  }

  void apply_sequence(double dt) {
    const std::vector<Operation>& sequence = scheme_.sequence;
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const auto [move, fraction] = sequence[k];
      const T time = T(fraction * dt);
      if (move == Move::accelerations && k > 0) evaluate();
      if (move == Move::kick) simulator_->kick(time);
      if (move == Move::drift) simulator_->drift(time);
      if (move == Move::update) simulator_->update_bodies(time);
      if (k == last_kick()) damp();
    }
  }

  // The mean of the steps allowed at both ends, found by iteration.
  double symmetric_step(double first, const StepRule& rule) {
    constexpr int corrections = 4;
    const Bodies<T> start = state();
    double dt = first;
    for (int k = 0; k < corrections; ++k) {
      apply_sequence(dt);
      dt = (first + simulator_->step_by(rule)) / 2;
      restart_from(start);
      evaluate();
    }
    return dt;
  }

  double runge_kutta_step(const StepRule& rule) {
    const Bodies<T> start = state();
    evaluate();
    const double dt = simulator_->step_by(rule);
    std::vector<Bodies<T>> stages;
    std::vector<Vectors<T>> a;  // at the stages
    const auto moved_by = [&](const std::vector<double>& weights) {
      Bodies<T> moved = start;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const T time = T(weights[k] * dt);
        if (time == T(0)) continue;
        add(stages[k].vx, time, moved.qx);
        add(stages[k].vy, time, moved.qy);
        add(stages[k].vz, time, moved.qz);
        add(a[k].x, time, moved.vx);
        add(a[k].y, time, moved.vy);
        add(a[k].z, time, moved.vz);
      }
      return moved;
    };
    for (const std::vector<double>& weights : scheme_.tableau.stages) {
      stages.push_back(moved_by(weights));
      if (stages.size() > 1) {
        restart_from(stages.back());
        evaluate();
      }
      a.push_back(accelerations());
    }
    restart_from(moved_by(scheme_.tableau.weights));
    damp();
    return dt;
  }

  // Predict, evaluate, correct.
  double hermite_step(const StepRule& rule) {
    if (rule.adaptive || a_.size() == 0) evaluate();
    if (a_.size() == 0) std::tie(a_, jerk_) = accelerations_and_jerk();
    const double step = simulator_->step_by(rule);
    const T dt = T(step);
    Bodies<T> moved = state(), predicted = moved;
    predict(predicted.qx, predicted.vx, a_.x, jerk_.x, dt);
    predict(predicted.qy, predicted.vy, a_.y, jerk_.y, dt);
    predict(predicted.qz, predicted.vz, a_.z, jerk_.z, dt);
    restart_from(predicted);
    evaluate();
    auto [a1, jerk1] = accelerations_and_jerk();
    correct(moved.qx, moved.vx, a_.x, a1.x, jerk_.x, jerk1.x, dt);
    correct(moved.qy, moved.vy, a_.y, a1.y, jerk_.y, jerk1.y, dt);
    correct(moved.qz, moved.vz, a_.z, a1.z, jerk_.z, jerk1.z, dt);
    restart_from(moved);
    a_ = std::move(a1);
    jerk_ = std::move(jerk1);
    damp();
    return step;
  }

  // In one direction.
  using Column = std::vector<T>;
  static void add(const Column& change, T time, Column& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += time * change[i];
  }
  static void predict(Column& q, Column& v, const Column& a, const Column& jerk, T dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += dt * (v[i] + dt / 2 * (a[i] + dt / 3 * jerk[i]));
      v[i] += dt * (a[i] + dt / 2 * jerk[i]);
    }
  }
  static void correct(Column& q, Column& v, const Column& a, const Column& new_a,
                      const Column& jerk, const Column& new_jerk, T dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const T old_v = v[i];
      v[i] += dt / 2 * (a[i] + new_a[i] + dt / 6 * (jerk[i] - new_jerk[i]));
      q[i] += dt / 2 * (old_v + v[i] + dt / 6 * (a[i] - new_a[i]));
    }
  }

  std::size_t last_kick() const {
    std::size_t k = scheme_.sequence.size() - 1;
    while (k > 0 && (scheme_.sequence[k].move == Move::drift ||
                     scheme_.sequence[k].move == Move::accelerations))
      --k;
    return k;
  }

  void damp() {
    if (damping_ == 1) return;
    Bodies<T> damped = state();
    for (auto* v : {&damped.vx, &damped.vy, &damped.vz}) {
      for (T& value : *v) value *= T(damping_);
    }
    restart_from(damped);
  }

  void restart_from(const Bodies<T>& bodies) {
    problem_.bodies = bodies;
    simulator_ = make_(problem_);
    known_ = false;
  }
  void evaluate() {
    simulator_->compute_accelerations();
    known_ = true;
    ++evaluations_;
  }
  // Those last computed, and by Eq. 8 how fast they change.
  std::pair<Vectors<T>, Vectors<T>> accelerations_and_jerk() const {
    return {accelerations(),
            in_precision<T>(reference_jerk(in_precision<double>(state()), as_double(problem_.G),
                                           as_double(problem_.softening)))};
  }

  const Scheme& scheme_;
  double damping_;
  Make make_;
  ProblemOf<T> problem_;  // of the simulator, which has moved the bodies since
  std::unique_ptr<Simulator> simulator_;
  bool known_ = false;   // the simulator's accelerations have been computed
  Vectors<T> a_, jerk_;  // Hermite's, at the start of the step
  std::uint64_t evaluations_ = 0;
};

}  // namespace nbody
