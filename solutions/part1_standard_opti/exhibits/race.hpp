// Problem: openmp computes each pair twice.
// Idea: third_law with one line, as in openmp.
// Predicted: refused. bodies[j].ax -= ... is a load, a subtraction and a store: what another thread
// stores in between is lost.
// Measured: refused: wrong on two threads, differently in every run; right on one, and often with
// few bodies. It has 1.85 x the speed of third_law.
// Why: the check asks the same question twice, and some additions of a body are lost in between.
#pragma once

#include "../04_third_law.hpp"

namespace nbody {

class Race : public ThirdLaw {
 public:
  using ThirdLaw::ThirdLaw;

  void compute_accelerations() override {
    clear_sums();
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < bodies.size(); ++i) add_pairs_of(i);
  }
};

}  // namespace nbody
