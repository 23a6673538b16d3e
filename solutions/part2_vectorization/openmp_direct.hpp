#pragma once

#include "blocked.hpp"

namespace nbody {

// Problem: one core of several.
// Idea: blocks of rows share nothing, any thread may take any. Static: the same blocks for the same
// thread in every step, and all blocks cost the same.
// Changed: the pragma; and the nearest neighbours, which would else be what everybody waits for.
class OpenmpDirect : public Blocked {
 public:
  using Blocked::Blocked;

  void compute_accelerations() override {
    pad();
    const std::size_t blocks = padded_size() / rows;
#pragma omp parallel for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) add_rows(block * rows);
  }

  real largest_time_step() override {
    nearest2.resize(bodies.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nearest2.size(); ++i) nearest2[i] = Padded::nearest_neighbour2(i);
    return Blocked::largest_time_step();
  }

 protected:
  real nearest_neighbour2(std::size_t i) const override { return nearest2[i]; }

 private:
  std::vector<real> nearest2;
};

}  // namespace nbody
