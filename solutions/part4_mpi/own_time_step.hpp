#pragma once

#include "ring.hpp"

namespace nbody {

// Exhibit: each rank takes the largest step that its own bodies allow, without MPI_Allreduce.
// Bodies of different ranks are then at different times, and nothing stops the program.
class OwnTimeStep : public Ring {
 public:
  using Ring::Ring;

  real largest_time_step() override {
    std::vector<real> nearest2(own.size(), std::numeric_limits<real>::infinity());
    visit_all([&](const Source* sources, int first, int count) {
      find_nearest(sources, first, count, nearest2);
    });
    real smallest = std::numeric_limits<real>::infinity();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const real nearest = std::sqrt(nearest2[i]);
      const real v = length(velocity[i]), a = length(acceleration[i]);
      real dt = real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }
};

}  // namespace nbody
