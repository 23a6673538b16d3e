#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "check/mistakes/mistake.hpp"
#include "simulator/plain.hpp"

namespace nbody::check {

// A simulator that makes one mistake of the table. A template, since the checker runs it in the
// number type of the program that it has to explain.
template <typename T>
class MistakenOf : public PlainOf<T> {
  using Base = PlainOf<T>;
  using Triple = TripleOf<T>;

 protected:
  using Base::acceleration, Base::bodies, Base::G, Base::softening2, Base::offset;

 public:
  MistakenOf(const ProblemOf<T>& problem, const Mistake& mistake)
      : Base(problem), mistake_(mistake), softening_(problem.softening) {
    for (const T mass : bodies.mass) masses_.push_back(double(mass));
  }

  void compute_accelerations() override {
    if (does(Fault::moves_bodies)) {
      for (T& x : bodies.qx) x += T(1.0 / 1024);
    }
    if (does(Fault::sources_of_the_first_step) && !computed_) sources_ = bodies;
    const Vectors<T> before = acceleration;
    Base::compute_accelerations();
    if (mistake_.answer != nullptr) {
      Vectors<double> answer = in_precision<double>(acceleration);
      mistake_.answer(answer, mistake_.x);
      acceleration = in_precision<T>(answer);
    }
    if (does(Fault::accelerations_of_the_first_step) && computed_) acceleration = before;
    if (does(Fault::accelerations_of_the_step_before)) {
      moves_with_ = computed_ ? before : acceleration;
    }
    if (does(Fault::accelerations_summed_over_steps)) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        this->add_acceleration(i, {before.x[i], before.y[i], before.z[i]});
      }
    }
    computed_ = true;
  }

  void update_bodies(T dt) override {
    const Bodies<T> before = bodies;
    const bool others = does(Fault::accelerations_of_the_step_before);
    if (others) std::swap(acceleration, moves_with_);
    const StepFactors s = mistake_.scheme.at(as_double(dt));
    if (last_dt_ == 0) last_dt_ = dt;
    const T before_it = std::exchange(last_dt_, dt);
    if (does(Fault::dt_of_the_step_before)) dt = before_it;
    const T kick = T(s.kick) * dt, drift = T(s.drift) * dt, push = T(s.push) * dt * dt / 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const bool rests = bodies.vx[i] == 0 && bodies.vy[i] == 0 && bodies.vz[i] == 0;
      if (does(Fault::rest_stays) && rests) continue;
      bodies.qx[i] += bodies.vx[i] * drift + acceleration.x[i] * push;
      bodies.qy[i] += bodies.vy[i] * drift + acceleration.y[i] * push;
      bodies.qz[i] += bodies.vz[i] * drift + acceleration.z[i] * push;
      bodies.vx[i] += acceleration.x[i] * kick;
      bodies.vy[i] += acceleration.y[i] * kick;
      bodies.vz[i] += acceleration.z[i] * kick;
    }
    if (others) std::swap(acceleration, moves_with_);
    keep_some(before);
  }

  void kick(T dt) override {
    const Bodies<T> before = bodies;
    Base::kick(T(mistake_.kick) * dt);
    keep_some(before);
  }
  void drift(T dt) override {
    const Bodies<T> before = bodies;
    Base::drift(T(mistake_.drift) * dt);
    keep_some(before);
  }

  double advance(std::uint64_t steps, const StepRule& asked) override {
    if (asked.adaptive &&
        (does(Fault::first_step_for_all) || does(Fault::step_before_accelerations))) {
      return advance_adaptively(steps, asked);
    }
    StepRule rule = asked;
    if (does(Fault::below_floor)) rule.dt_floor = 0;
    if (does(Fault::floor_for_fixed) && !rule.adaptive) rule.dt = std::max(rule.dt, rule.dt_floor);
    fixed_ = T(rule.dt);
    const std::uint64_t made = mistake_.steps == nullptr ? steps : mistake_.steps(steps);
    stepping_ = true;
    const double time = Base::advance(made, rule);
    stepping_ = false;
    if (does(Fault::reports_fixed_steps)) return static_cast<double>(steps) * rule.dt;
    if (does(Fault::adds_time_in_float) && !rule.adaptive) return time_in_float(steps, rule.dt);
    if (mistake_.adds_up_its_steps) return time;
    return time + (static_cast<double>(steps) - static_cast<double>(made)) * rule.dt;
  }

  T largest_time_step() override {
    if (does(Fault::never_adaptive)) return std::numeric_limits<T>::infinity();
    if (does(Fault::neighbours_of_the_first_step) && neighbours_.empty()) {
      std::vector<std::size_t> found;
      for (std::size_t i = 0; i < bodies.size(); ++i) found.push_back(neighbour_of(i));
      neighbours_ = found;
    }
    std::size_t end = bodies.size();
    if (does(Fault::step_of_body_0)) end = 1;
    if (does(Fault::search_ends)) end = whole_batches(end, mistake_.x);
    T smallest = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < end && bodies.size() > 1; ++i) {
      smallest = std::min(smallest, time_step_of(i));
    }
    if (does(Fault::longest_step)) smallest = std::min(smallest, T(mistake_.x));
    if (does(Fault::cut_at_fixed)) smallest = std::min(smallest, fixed_);
    smallest_so_far_ = std::min(smallest_so_far_, smallest);
    return does(Fault::never_grows) ? smallest_so_far_ : smallest;
  }

 protected:
  Triple acceleration_of(std::size_t i) const override {
    Triple sum = Base::acceleration_of(i);
    const auto width = static_cast<std::size_t>(mistake_.x);
    if (does(Fault::meets_itself) || does(Fault::meets_itself_guarded)) {
      const T guard = does(Fault::meets_itself_guarded) ? T(1e-50) : T(0);
      sum += attraction(offset(i, i), bodies.mass[i], guard);
    }
    if (does(Fault::padding_has_mass) && bodies.size() % width != 0) {
      const T mass = T(width - bodies.size() % width);
      sum += attraction(Triple{bodies.qx[i], bodies.qy[i], bodies.qz[i]} * T(-1), mass);
    }
    return sum;
  }

  Triple pull(std::size_t i, std::size_t j) const override {
    if (sources_.size() > 0) {
      return attraction({sources_.qx[j] - bodies.qx[i], sources_.qy[j] - bodies.qy[i],
                         sources_.qz[j] - bodies.qz[i]},
                        bodies.mass[j]);
    }
    if (mistake_.factor == nullptr || (does(Fault::only_in_steps) && !stepping_)) {
      return Base::pull(i, j);
    }
    const Triple d = offset(i, j);
    const double factor = mistake_.factor({.i = i,
                                           .j = j,
                                           .n = bodies.size(),
                                           .distance2 = double(d.x * d.x + d.y * d.y + d.z * d.z),
                                           .softening = double(softening_),
                                           .mass_i = double(bodies.mass[i]),
                                           .mass_j = double(bodies.mass[j]),
                                           .masses = masses_.data(),
                                           .in_float = sizeof(T) == sizeof(float),
                                           .x = mistake_.x});
    return Base::pull(i, j) * T(factor);
  }

  T time_step_of(std::size_t i) const override {
    const std::size_t k = neighbour_of(i);
    if (k == i && !does(Fault::counts_itself)) return std::numeric_limits<T>::infinity();
    T nearest = does(Fault::counts_itself) ? T(0) : offset(i, k).length();
    if (does(Fault::softened)) nearest = std::sqrt(nearest * nearest + softening2);
    const T distance = T(does(Fault::other_share) ? mistake_.x : 0.1) * nearest;
    Triple velocity{bodies.vx[i], bodies.vy[i], bodies.vz[i]};
    if (does(Fault::relative_speed)) {
      velocity += Triple{bodies.vx[k], bodies.vy[k], bodies.vz[k]} * T(-1);
    }
    const T v = velocity.length();
    const T a = Triple{acceleration.x[i], acceleration.y[i], acceleration.z[i]}.length();
    if (does(Fault::textbook_root)) return (std::sqrt(v * v + 2 * a * distance) - v) / a;
    return this->time_to_cover(distance, v, a);
  }

 private:
  bool does(Fault what) const { return mistake_.does(what); }

  // What a mass in the direction d does.
  Triple attraction(const Triple& d, T mass, T guard = T(0)) const {
    const T r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening2 + guard;
    const T inverse = this->inverse_distance(r2);
    return d * inverse * (G * inverse * inverse * mass);
  }

  static double time_in_float(std::uint64_t steps, double dt) {
    float time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) time += static_cast<float>(dt);
    return static_cast<double>(time);
  }

  // The nearest neighbour of body i, or i itself if there is none.
  std::size_t neighbour_of(std::size_t i) const {
    if (!neighbours_.empty()) return neighbours_[i];
    std::size_t end = bodies.size();
    if (does(Fault::neighbours_before)) end = i;
    if (does(Fault::neighbours_but_the_last)) --end;
    T nearest = std::numeric_limits<T>::infinity();
    std::size_t neighbour = i;
    for (std::size_t j = does(Fault::neighbours_after) ? i + 1 : 0; j < end; ++j) {
      const T distance = j == i ? nearest : offset(i, j).length();
      if (!(distance < nearest)) continue;
      nearest = distance;
      neighbour = j;
    }
    return neighbour;
  }

  double advance_adaptively(std::uint64_t steps, const StepRule& rule) {
    const bool late = does(Fault::step_before_accelerations);
    double time = 0, dt = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (!late) compute_accelerations();
      if (step == 0 || late) {
        const double largest = as_double(largest_time_step());
        dt = std::max(largest < 1e300 ? largest : rule.dt, rule.dt_floor);
      }
      if (late) compute_accelerations();
      update_bodies(T(dt));
      time += dt;
    }
    return time;
  }

  void keep_some(const Bodies<T>& before) {
    if (!does(Fault::bodies_stay)) return;
    for (std::size_t i = whole_batches(bodies.size(), mistake_.x); i < bodies.size(); ++i) {
      for (const auto q : {&Bodies<T>::qx, &Bodies<T>::qy, &Bodies<T>::qz, &Bodies<T>::vx,
                           &Bodies<T>::vy, &Bodies<T>::vz}) {
        (bodies.*q)[i] = (before.*q)[i];
      }
    }
  }

  const Mistake& mistake_;
  T softening_;
  std::vector<double> masses_;
  Bodies<T> sources_;  // of the first step
  bool computed_ = false, stepping_ = false;
  T last_dt_ = 0, fixed_ = 0;
  T smallest_so_far_ = std::numeric_limits<T>::infinity();
  Vectors<T> moves_with_;
  std::vector<std::size_t> neighbours_;  // of the first step
};

}  // namespace nbody::check
