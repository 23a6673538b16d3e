#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// The same forces; the step around them is made in another way.

// The nearest neighbours are found while the accelerations are computed, and kept for the time
// step.
class FusedTimeStep : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    nearest2.assign(bodies.size(), std::numeric_limits<real>::infinity());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Triple sum;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (j == i) continue;
        const Triple d = offset(i, j);
        nearest2[i] = std::min(nearest2[i], d.x * d.x + d.y * d.y + d.z * d.z);
        sum += pull(i, j);
      }
      set_acceleration(i, sum);
    }
  }

 protected:
  real time_step_of(std::size_t i) const override {
    return time_to_cover(real(0.1) * std::sqrt(nearest2[i]), i);
  }

 private:
  std::vector<real> nearest2;
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

// Writes to standard output while it computes, as in debugging. The answers must not suffer.
class Prints : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      std::printf("body %zu: ax = %g\n", i, static_cast<double>(acceleration.x[i]));
    }
  }
};

}  // namespace nbody
