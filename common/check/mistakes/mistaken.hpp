#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "check/mistakes/mistake.hpp"
#include "check/mistakes/other_precision.hpp"
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
    if (mistake_.moves_bodies) move_to_centre_of_mass();
    if (mistake_.sources == Sources::of_the_first_step && !computed_) sources_ = bodies;
    const Vectors<T> before = acceleration;
    Base::compute_accelerations();
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
          this->add_acceleration(i, {before.x[i], before.y[i], before.z[i]});
        }
    }
    computed_ = true;
  }

  void update_bodies(T dt) override {
    const Bodies<T> before = state_if_some_stay();
    const bool others = mistake_.accelerations == Accelerations::of_the_step_before;
    if (others) std::swap(acceleration, moves_with_);
    const StepFactors s = mistake_.scheme.at(as_double(dt));
    dt = step_length(dt);
    const T keep = T(s.keep), kick = T(s.kick) * dt, drift = T(s.drift) * dt,
            push = T(s.push) * dt * dt / 2;
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
    keep_some(before, /*places=*/true, /*velocities=*/true);
  }

  void kick(T dt) override {
    const Bodies<T> before = state_if_some_stay();
    Base::kick(T(mistake_.kick) * dt);
    keep_some(before, /*places=*/false, /*velocities=*/true);
  }
  void drift(T dt) override {
    const Bodies<T> before = state_if_some_stay();
    Base::drift(T(mistake_.drift) * dt);
    keep_some(before, /*places=*/true, /*velocities=*/false);
  }

  double advance(std::uint64_t steps, const StepRule& rule) override {
    if (rule.adaptive && mistake_.adaptive.loop != AdaptiveLoop::right) {
      return advance_adaptively(steps, rule);
    }
    const std::uint64_t made =
        mistake_.steps == nullptr ? steps : mistake_.steps(steps, mistake_.x);
    stepping_ = true;
    const double time = Base::advance(made, changed(rule));
    stepping_ = false;
    if (mistake_.reports_fixed_steps) return static_cast<double>(steps) * rule.dt;
    if (mistake_.adds_time_in_float && !rule.adaptive) return time_in_float(steps, rule.dt);
    if (mistake_.adds_up_its_steps) return time;
    return time + (static_cast<double>(steps) - static_cast<double>(made)) * rule.dt;
  }

  T largest_time_step() override {
    if (mistake_.adaptive.never) return std::numeric_limits<T>::infinity();
    remember_neighbours();
    if (!mistake_.adaptive.smallest && bodies.size() > 1) return this->time_step_of(0);
    const T largest = smallest_step(), most = T(mistake_.adaptive.at_most);
    const T allowed = most > T(0) && most < largest ? most : largest;
    smallest_so_far_ = std::min(smallest_so_far_, allowed);
    if (mistake_.adaptive.never_grows) return smallest_so_far_;
    return cut_ > T(0) && cut_ < allowed ? cut_ : allowed;
  }

 protected:
  Triple acceleration_of(std::size_t i) const override {
    Triple sum = Base::acceleration_of(i);
    if (mistake_.meets_itself) {
      const T inverse = this->inverse_distance(softening2 + T(mistake_.guard));
      sum += offset(i, i) * inverse * (G * inverse * inverse * bodies.mass[i]);
    }
    const auto width = static_cast<std::size_t>(mistake_.x);
    if (mistake_.mass_of_padding > 0 && bodies.size() % width != 0) {
      const Triple d = Triple{bodies.qx[i], bodies.qy[i], bodies.qz[i]} * T(-1);
      const T inverse = this->inverse_distance(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
      const T mass = T(mistake_.mass_of_padding) * T(width - bodies.size() % width);
      sum += d * inverse * (G * inverse * inverse * mass);
    }
    return sum;
  }

  Triple pull(std::size_t i, std::size_t j) const override {
    if (sources_.size() > 0) return pull_of_the_first_step(i, j);
    if (mistake_.factor == nullptr || (mistake_.only_in_steps && !stepping_)) {
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
                                           .G = double(G),
                                           .masses = masses_.data(),
                                           .in_float = sizeof(T) == sizeof(float),
                                           .x = mistake_.x});
    return Base::pull(i, j) * T(factor);
  }

  T time_step_of(std::size_t i) const override {
    const AdaptiveStep& step = mistake_.adaptive;
    const std::size_t k = neighbour_among(i, step.neighbours);
    if (k == i && !step.counts_itself) return std::numeric_limits<T>::infinity();
    T nearest = step.counts_itself ? T(0) : offset(i, k).length();
    if (!distances_.empty()) nearest = distances_[i];
    if (step.nearest_at_most > 0) nearest = std::min(nearest, T(step.nearest_at_most));
    if (step.softened) nearest = std::sqrt(nearest * nearest + softening2);
    const T distance = T(step.share) * nearest;
    Triple velocity{bodies.vx[i], bodies.vy[i], bodies.vz[i]};
    if (step.relative_speed) {
      velocity += Triple{bodies.vx[k], bodies.vy[k], bodies.vz[k]} * T(-1);
    }
    const T v = velocity.length();
    const T a = Triple{acceleration.x[i], acceleration.y[i], acceleration.z[i]}.length();
    if (step.textbook_root) return (std::sqrt(v * v + 2 * a * distance) - v) / a;
    return this->time_to_cover(distance, v, a);
  }

 private:
  static double time_in_float(std::uint64_t steps, double dt) {
    float time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) time += static_cast<float>(dt);
    return static_cast<double>(time);
  }

  StepRule changed(StepRule rule) {
    const AdaptiveStep& step = mistake_.adaptive;
    if (step.below_floor) rule.dt_floor = 0;
    if (step.floor_for_fixed && !rule.adaptive) rule.dt = std::max(rule.dt, rule.dt_floor);
    cut_ = step.cut_at_fixed && rule.adaptive ? T(rule.dt) : T(0);
    return rule;
  }

  T smallest_step() {
    if (!mistake_.search_ends) return Base::largest_time_step();
    T smallest = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < std::min(end_of(mistake_.x, bodies.size()), bodies.size()); ++i) {
      smallest = std::min(smallest, time_step_of(i));
    }
    return smallest;
  }

  // Before the next step is computed.
  void remember_neighbours() {
    const Neighbours kept = mistake_.adaptive.neighbours;
    const bool first = nearest_now_.empty();
    if (kept == Neighbours::those_of_the_first_step) {
      for (std::size_t i = neighbours_.size(); i < bodies.size(); ++i) {
        neighbours_.push_back(neighbour_among(i, Neighbours::all));
      }
    }
    const bool before = kept == Neighbours::distances_of_the_step_before;
    if (!before && (kept != Neighbours::distances_of_the_first_step || !first)) return;
    std::vector<T> now;
    for (std::size_t i = 0; i < bodies.size(); ++i) now.push_back(this->nearest_distance(i));
    distances_ = first ? now : nearest_now_;
    nearest_now_ = now;
  }

  // The nearest neighbour of body i, or i itself if there is none.
  std::size_t neighbour_among(std::size_t i, Neighbours which) const {
    if (which == Neighbours::those_of_the_first_step) return neighbours_[i];
    const std::size_t n = bodies.size();
    const std::size_t first = which == Neighbours::after ? i + 1 : 0;
    const std::size_t end = which == Neighbours::before             ? i
                            : which == Neighbours::all_but_the_last ? n - 1
                                                                    : n;
    T nearest = std::numeric_limits<T>::infinity();
    std::size_t neighbour = i;
    for (std::size_t j = first; j < end; ++j) {
      const T distance = j == i ? nearest : offset(i, j).length();
      if (!(distance < nearest)) continue;
      nearest = distance;
      neighbour = j;
    }
    return neighbour;
  }

  T step_length(T dt) {
    if (first_dt_ == 0) first_dt_ = last_dt_ = dt;
    const T before = std::exchange(last_dt_, dt);
    if (mistake_.moves_by == StepLength::of_the_first_step) return first_dt_;
    return mistake_.moves_by == StepLength::of_the_step_before ? before : dt;
  }

  double advance_adaptively(std::uint64_t steps, const StepRule& rule) {
    const AdaptiveLoop loop = mistake_.adaptive.loop;
    double time = 0, dt = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const bool first = step == 0;
      const bool late = loop == AdaptiveLoop::step_before_accelerations;
      const bool never_again = loop == AdaptiveLoop::first_accelerations_for_all;
      if (!late && (first || !never_again)) compute_accelerations();
      if (first || loop != AdaptiveLoop::first_step_for_all) {
        const double largest = as_double(largest_time_step());
        const bool floored = first || loop != AdaptiveLoop::floor_in_the_first_only;
        dt = largest < 1e300 ? largest : rule.dt;
        if (floored && dt < rule.dt_floor) dt = rule.dt_floor;
      }
      if (late) compute_accelerations();
      update_bodies(T(dt));
      time += dt;
      if (loop == AdaptiveLoop::one_step_only) break;
    }
    const bool spoilt = loop == AdaptiveLoop::not_a_number_at_the_end && steps > 1;
    if (spoilt) bodies.qx.back() = std::numeric_limits<T>::quiet_NaN();
    const bool from_last = loop == AdaptiveLoop::time_from_the_last;
    return from_last ? static_cast<double>(steps) * dt : time;
  }

  void spoil_answer() {
    Vectors<double> answer = in_precision<double>(acceleration);
    mistake_.answer(answer, mistake_.x);
    acceleration = in_precision<T>(answer);
  }

  Triple pull_of_the_first_step(std::size_t i, std::size_t j) const {
    const Triple d{sources_.qx[j] - bodies.qx[i], sources_.qy[j] - bodies.qy[i],
                   sources_.qz[j] - bodies.qz[i]};
    const T inverse = this->inverse_distance(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    return d * inverse * (G * inverse * inverse * bodies.mass[j]);
  }

  Bodies<T> state_if_some_stay() const {
    return mistake_.stays == Stays::nothing ? Bodies<T>() : bodies;
  }

  void keep_some(const Bodies<T>& before, bool places, bool velocities) {
    if (mistake_.stays == Stays::nothing) return;
    places = places && mistake_.stays != Stays::velocities;
    velocities = velocities && mistake_.stays != Stays::places;
    for (std::size_t i = end_of(mistake_.x, bodies.size()); i < bodies.size(); ++i) {
      for (const auto q : {&Bodies<T>::qx, &Bodies<T>::qy, &Bodies<T>::qz}) {
        if (places) (bodies.*q)[i] = (before.*q)[i];
      }
      for (const auto v : {&Bodies<T>::vx, &Bodies<T>::vy, &Bodies<T>::vz}) {
        if (velocities) (bodies.*v)[i] = (before.*v)[i];
      }
    }
  }

  void move_to_centre_of_mass() {
    Triple centre;
    T total = 0;
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
  T softening_;
  std::vector<double> masses_;
  Bodies<T> sources_;  // of the first step
  bool computed_ = false, stepping_ = false;
  T first_dt_ = 0, last_dt_ = 0, cut_ = 0;
  T smallest_so_far_ = std::numeric_limits<T>::infinity();
  Vectors<T> moves_with_;
  std::vector<std::size_t> neighbours_;     // of the first step
  std::vector<T> distances_, nearest_now_;  // to the nearest neighbours, as used and as they are
};

}  // namespace nbody::check
