#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "core/reference.hpp"
#include "core/scheme.hpp"
#include "core/units.hpp"
#include "simulator/ranks.hpp"
#include "simulator/simulation.hpp"

namespace nbody {

// Two bodies at one place pull each other infinitely: report them here instead of NaN everywhere
// later. Softened, their factor is 1/eps^3, which T may hold. Speeds and the softening get squared:
// T must hold that, too.
template <typename T>
void refuse_what_gives_nan(const ProblemOf<T>& problem) {
  const Bodies<T>& b = problem.bodies;
  const double limit = std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) / 4);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double speed = std::hypot(as_double(b.vx[i]), as_double(b.vy[i]), as_double(b.vz[i]));
    if (speed < limit && b.mass[i] > 0) continue;
    throw InputError("body " + std::to_string(i) +
                     " (counted from 0) is too fast, or too light beside the heaviest, for this "
                     "precision: try --precision double, or check its units");
  }
  // All forces would vanish.
  if (!(problem.softening < limit)) {
    throw InputError("the softening (--soft) is too large for this precision: make it smaller");
  }
  const T factor = problem.softening * problem.softening * problem.softening;
  if (factor >= std::numeric_limits<T>::min()) return;
  const auto place = [&](std::size_t i) { return std::make_tuple(b.qx[i], b.qy[i], b.qz[i]); };
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, place);
  const auto pair = std::ranges::adjacent_find(order, {}, place);
  if (pair == order.end()) return;
  throw InputError("bodies " + std::to_string(pair[0]) + " and " + std::to_string(pair[1]) +
                   " (counted from 0) are at the same place in this precision: move one, or "
                   "soften more with --soft EPS");
}

// Calls the simulator. An exception may be thrown on one rank alone, and the others wait for it: so
// it ends them all, before the simulator's destructor waits for them.
template <typename Call>
auto asked(const Call& call) {
  try {
    return call();
  } catch (const MissingFunction& missing) {  // on all ranks
    throw Unsupported(missing.what());
  } catch (const std::exception& fault) {
    if (all_ranks != nullptr && all_ranks->number > 1) all_ranks->stop(fault.what());
    throw;
  }
}

// A simulator moved by a scheme. It uses the simulator's own kicks and drifts. What they cannot
// express (a stage of Runge-Kutta, a prediction and the jerk, damped velocities) is computed here,
// and a new simulator starts from the result: so every implementation runs every scheme.
template <typename T>
class Integration : public Simulation {
 public:
  using Simulator = SimulatorOf<T>;
  using Make = std::function<std::unique_ptr<Simulator>(const ProblemOf<T>&)>;

  Integration(Make make, const Scene& scene, const Tuning& tuning = {})
      : scheme_(scheme_named(scene.setting.integrator)),
        damping_(scene.setting.damping),
        make_(std::move(make)),
        units_(Units::for_bodies(scene.bodies, scene.setting.G)),
        given_(scene.bodies),
        problem_{in_precision<T>(units_.to_working(given_)),
                 static_cast<T>(units_.to_G(scene.setting.G)),
                 static_cast<T>(units_.to_length(scene.setting.softening)), tuning} {
    refuse_what_gives_nan(problem_);
    asked([&] { restart_from(problem_.bodies); });
  }

  double advance(std::uint64_t steps, const StepRule& rule) override {
    // A single body has no neighbour and so no largest step.
    const StepRule working{rule.adaptive && given_.size() > 1, units_.to_time(rule.dt),
                           units_.to_time(rule.dt_floor)};
    return units_.time_to_si(asked([&] { return advanced(steps, working); }));
  }
  void compute_accelerations() override {
    asked([&] { evaluate(); });
  }
  Bodies<double> bodies() const override {
    Bodies<double> moved = units_.to_si(in_precision<double>(asked([&] { return state(); })));
    moved.mass = given_.mass;
    moved.radius = given_.radius;
    return moved;
  }
  Vectors<double> accelerations() const override {
    return units_.acceleration_to_si(in_precision<double>(asked([&] { return pulls(); })));
  }
  std::uint64_t evaluations() const override { return evaluations_; }

 private:
  double advanced(std::uint64_t steps, const StepRule& rule) {
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

  Bodies<T> state() const {
    Bodies<T> now = problem_.bodies;
    simulator_->copy_state(now);
    return now;
  }
  Vectors<T> pulls() const {
    Vectors<T> a;
    a.resize(problem_.bodies.size());
    simulator_->copy_accelerations(a);
    return a;
  }

  double step(const StepRule& rule) {
    if (scheme_.hermite) return hermite_step(rule);
    return scheme_.sequence.empty() ? runge_kutta_step(rule) : sequence_step(rule);
  }

  // The first accelerations decide the time step.
  double sequence_step(const StepRule& rule) {
    const bool begins_with_them = scheme_.sequence.front().move == Move::accelerations;
    const bool needs_them = scheme_.evaluations > 0 ? !known_ : rule.adaptive;
    if (begins_with_them || needs_them) evaluate();
    double dt = simulator_->step_by(rule);
    if (scheme_.symmetric_step && rule.adaptive) dt = symmetric_step(dt, rule);
    apply_sequence(dt);
    return dt;
  }

  void apply_sequence(double dt) {
    const std::vector<Operation>& sequence = scheme_.sequence;
    std::size_t last_kick = sequence.size() - 1;
    while (last_kick > 0 && sequence[last_kick].move != Move::kick &&
           sequence[last_kick].move != Move::update) {
      --last_kick;
    }
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const auto [move, fraction] = sequence[k];
      const T time = T(fraction * dt);
      if (move == Move::accelerations && k > 0) evaluate();
      if (move == Move::kick) simulator_->kick(time);
      if (move == Move::drift) simulator_->drift(time);
      if (move == Move::update) simulator_->update_bodies(time);
      if (k == last_kick) damp();
    }
  }

  // The mean of the steps allowed at both ends, found by iteration.
  double symmetric_step(double first, const StepRule& rule) {
    constexpr int corrections = 4;
    const Bodies<T> start = state();
    double dt = first;
    for (int k = 0; k < corrections; ++k) {
      apply_sequence(dt);
      if (!known_) evaluate();  // damped
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
      a.push_back(pulls());
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
    for (auto* jerk : {&jerk_.x, &jerk_.y, &jerk_.z}) {
      for (T& value : *jerk) value *= T(damping_);  // linear in the velocities
    }
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
    // What copy_state() has filled is only rank 0's.
    for (std::vector<T>* column : problem_.bodies.columns()) share(*column);
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
    return {pulls(),
            in_precision<T>(reference_jerk(in_precision<double>(state()), as_double(problem_.G),
                                           as_double(problem_.softening)))};
  }

  const Scheme& scheme_;
  double damping_;
  Make make_;
  Units units_;
  Bodies<double> given_;  // SI
  ProblemOf<T> problem_;  // of the simulator, which has moved the bodies since
  std::unique_ptr<Simulator> simulator_;
  bool known_ = false;   // the simulator's accelerations have been computed
  Vectors<T> a_, jerk_;  // Hermite's, at the start of the step
  std::uint64_t evaluations_ = 0;
};

}  // namespace nbody
