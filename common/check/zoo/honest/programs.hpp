#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "check/mistakes/estimated_root.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// The hardware's 12 bits of 1/sqrt and Newton steps, each doubling the right bits: one for float,
// three for double.
class NewtonRsqrt : public Plain {
 public:
  using Plain::Plain;

 protected:
  real inverse_distance(real r2) const override {
    constexpr int newton_steps = std::numeric_limits<real>::digits <= 24 ? 1 : 3;
    real y = static_cast<real>(check::estimated_inverse_root(static_cast<float>(r2)));
    for (int step = 0; step < newton_steps; ++step) y *= real(1.5) - real(0.5) * r2 * y * y;
    return y;
  }
};

// The sources are summed in halves of halves, so rounding errors grow with log n.
class PairwiseSum : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override { return sum_over(i, 0, bodies.size()); }

 private:
  Triple sum_over(std::size_t i, std::size_t begin, std::size_t end) const {
    if (end - begin == 1) return begin == i ? Triple() : pull(i, begin);
    const std::size_t middle = begin + (end - begin) / 2;
    Triple sum = sum_over(i, begin, middle);
    sum += sum_over(i, middle, end);
    return sum;
  }
};

// With softening a body may pull itself: the offset is zero, and eps keeps the distance positive.
// Without, the test stays.
class SoftenedBranchless : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override {
    if (softening2 == 0) return Plain::acceleration_of(i);
    Triple sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) sum += pull(i, j);
    return sum;
  }
};

// Third law with per-thread sums. The order of adding them up changes from run to run, and so do
// the last bits.
class ThreadsThirdLaw : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    clear_accelerations();
#pragma omp parallel
    {
      std::vector<Triple> own(bodies.size());
#pragma omp for schedule(static, 16) nowait
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
          const Triple f = field(i, j);
          own[i] += f * bodies.mass[j];
          own[j] += f * -bodies.mass[i];
        }
      }
#pragma omp critical
      for (std::size_t i = 0; i < own.size(); ++i) add_acceleration(i, own[i]);
    }
  }
};

// T goes in and out, but state and sums are double inside. Answered states are rounded; the next
// step starts from the unrounded one.
class DoubleInside : public Simulator {
 public:
  explicit DoubleInside(const Problem& problem) : inside(in_precision<double>(problem)) {}

  void compute_accelerations() override { inside.compute_accelerations(); }
  real largest_time_step() override { return static_cast<real>(inside.largest_time_step()); }
  void update_bodies(real dt) override { inside.update_bodies(static_cast<double>(dt)); }

  void copy_state(Bodies<real>& state) const override {
    Bodies<double> wide = in_precision<double>(state);
    inside.copy_state(wide);
    state = in_precision<real>(wide);
  }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    Vectors<double> wide;
    inside.copy_accelerations(wide);
    accelerations = in_precision<real>(wide);
  }

 private:
  PlainOf<double> inside;
};

// The nearest neighbours are found while the accelerations are computed, and kept for the time
// step. It writes to standard output meanwhile, as in debugging.
class FusedTimeStep : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    nearest.assign(bodies.size(), std::numeric_limits<real>::infinity());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Triple sum;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (j == i) continue;
        nearest[i] = std::min(nearest[i], offset(i, j).length());
        sum += pull(i, j);
      }
      set_acceleration(i, sum);
      std::printf("body %zu: ax = %g\n", i, static_cast<double>(sum.x));
    }
  }

 protected:
  real time_step_of(std::size_t i) const override {
    return time_to_cover(real(0.1) * nearest[i], i);
  }

 private:
  std::vector<real> nearest;
};

// Its own time loop, as on a GPU: the state stays inside for all steps, and update and time step
// are part of the loop.
class OwnAdvance : public Plain {
 public:
  using Plain::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    double time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      real smallest = std::numeric_limits<real>::infinity();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        set_acceleration(i, acceleration_of(i));
        if (rule.adaptive && bodies.size() > 1) smallest = std::min(smallest, time_step_of(i));
      }
      const double largest = static_cast<double>(smallest);
      const double dt = std::isfinite(largest) ? std::max(largest, rule.dt_floor) : rule.dt;
      update_bodies(real(dt));
      time += dt;
    }
    return time;
  }
};

}  // namespace nbody
