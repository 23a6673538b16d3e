#pragma once

#include <vector>

#include "simulator/real.hpp"

namespace nbody {

// A rung on threads whose search for the nearest neighbours is parallel, too: else all threads
// would wait for it.
template <typename Rung>
class ParallelTimeStep : public Rung {
 public:
  using Rung::Rung;

  real largest_time_step() override {
    nearest2.resize(this->bodies.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nearest2.size(); ++i) nearest2[i] = Rung::nearest_neighbour2(i);
    return Rung::largest_time_step();
  }

 protected:
  real nearest_neighbour2(std::size_t i) const override { return nearest2[i]; }

 private:
  std::vector<real> nearest2;
};

}  // namespace nbody
