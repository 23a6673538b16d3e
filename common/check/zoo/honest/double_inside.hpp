#pragma once

#include "check/zoo/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// T goes in and out, but state and sums are double inside. Answered states are rounded; the next
// step starts from the unrounded one.
class DoubleInside : public Simulator {
 public:
  explicit DoubleInside(const Problem& problem) : inside(in_precision<double>(problem)) {}

  void compute_accelerations() override { inside.compute_accelerations(); }
  real largest_time_step() override { return static_cast<real>(inside.largest_time_step()); }
  void update_bodies(real dt) override { inside.update_bodies(static_cast<double>(dt)); }

  void copy_state(Bodies<real>& state) const override {
    Bodies<double> wide;
    inside.copy_state(wide);
    state.qx = in_precision<real>(wide.qx);
    state.qy = in_precision<real>(wide.qy);
    state.qz = in_precision<real>(wide.qz);
    state.vx = in_precision<real>(wide.vx);
    state.vy = in_precision<real>(wide.vy);
    state.vz = in_precision<real>(wide.vz);
  }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    Vectors<double> wide;
    inside.copy_accelerations(wide);
    accelerations = in_precision<real>(wide);
  }

 private:
  PlainOf<double> inside;
};

}  // namespace nbody
