#pragma once

#include "check/zoo/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// T goes in and out, but state and sums are double inside. The states that are shown are rounded,
// the next step starts from the one that is not.
template <typename T>
class DoubleInside : public Simulator<T> {
 public:
  explicit DoubleInside(const Problem<T>& problem) : inside(in_precision<double>(problem)) {}

  void compute_accelerations() override { inside.compute_accelerations(); }
  T largest_time_step() override { return static_cast<T>(inside.largest_time_step()); }
  void update_bodies(T dt) override { inside.update_bodies(static_cast<double>(dt)); }

  void copy_state(Bodies<T>& state) const override {
    Bodies<double> wide;
    inside.copy_state(wide);
    state.qx = in_precision<T>(wide.qx);
    state.qy = in_precision<T>(wide.qy);
    state.qz = in_precision<T>(wide.qz);
    state.vx = in_precision<T>(wide.vx);
    state.vy = in_precision<T>(wide.vy);
    state.vz = in_precision<T>(wide.vz);
  }
  void copy_accelerations(Vectors<T>& accelerations) const override {
    Vectors<double> wide;
    inside.copy_accelerations(wide);
    accelerations = in_precision<T>(wide);
  }

 private:
  Plain<double> inside;
};

}  // namespace nbody
