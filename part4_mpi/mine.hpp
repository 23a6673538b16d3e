#pragma once

#include "naive.hpp"

namespace nbody {

// Yours. It starts as the naive simulator of part 4; override what you want to make faster:
//
//   compute_accelerations()   copy it from naive.hpp, keep `override`, change it
//   largest_time_step()
//   update_bodies(dt)
//
// Other data? Write the constructor, the two copy functions, kick and drift too, and derive
// from Simulator.
// More than one version? Copy this file to mine_NAME.hpp (the class stays Mine): it joins by
// itself. Done when `./lab check part4 mine` passes. No constant like 1e-20f: units are scaled.
class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
