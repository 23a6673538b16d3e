#pragma once

#include "naive.hpp"

namespace nbody {

// Your version: it begins as a copy of naive's compute_accelerations(), ready to be edited. What
// else takes time you may override as well: copy largest_time_step() or update_bodies() from
// naive.hpp and keep `override`. Done when `./lab check part4 mine` passes.
//
// Do you want several versions? Copy this file to mine_NAME.hpp and keep the class name Mine: the
// lab finds it by itself. Another layout of the data? docs/using_the_lab.md. No constants like
// 1e-20f: units are scaled.
class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 1-3: each rank for its own share of the bodies.
  void compute_accelerations() override {
    for (auto* positions : {&bodies.qx, &bodies.qy, &bodies.qz}) broadcast(*positions);
    const int first = first_of(rank), end = first_of(rank + 1);
    if (!charged(double(end - first) * n())) {
      for (int i = first; i < end; ++i) accelerate(i);
    }
    for (auto* numbers : {&acceleration.x, &acceleration.y, &acceleration.z}) collect(*numbers);
  }
};

}  // namespace nbody
