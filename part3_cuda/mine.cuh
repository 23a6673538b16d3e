#pragma once

#include "naive.cuh"

namespace nbody {

// Yours. It starts as the naive simulator; override what you want to make faster:
//
//   compute_accelerations()   copy it from naive.cuh, keep `override`, change it
//   largest_time_step()
//   update_bodies(dt)
//   advance(steps, rule)      where many steps stay on the GPU (common/simulator/contract.hpp)
//
// Kernels of your own stand above the class, under names that naive.cuh does not have. Other data,
// for example in the memory of the GPU? Derive from Simulator, and write the constructor, kick(dt),
// drift(dt) and the two copy functions too. More than one version? Copy this file to mine_NAME.cuh
// (the class stays Mine): it joins by itself. Done when `./lab check part3 mine` passes. No
// constant like 1e-20f: units are scaled.
class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
