// Problem: one core works, the others are idle.
// Idea: one line above the rows of fused, which share only what they read. Not above those of
// third_law: they write to each other's bodies (exhibits/race.hpp).
// Predicted: 2 x on two threads, 1 x on one.
// Measured: 1.96 x on two threads, 1.00 x on one.
// Why: nothing is shared, and all rows are equally long, so schedule(static) deals them out evenly;
// it is written down, since defaults differ. Two threads are 1.6 x as fast as third_law on one.
#pragma once

#include "03_fused.hpp"

namespace nbody {

class Openmp : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bodies.size(); ++i) compute_row(i);
  }
};

}  // namespace nbody
