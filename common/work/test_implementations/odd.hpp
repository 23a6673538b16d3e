#pragma once

#include "../../../part1_standard_opti/naive.hpp"

namespace nbody {

// What only its first call does is no work of an iteration; numbers that leave the counting are
// told, and those that bypass it are wrong.
class Odd : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    for (auto& body : bodies) {
      if (first) body.mass *= 1;
    }
    first = false;
    bodies[0].mass = as_double(bodies[0].mass);
    bodies[0].qx = *reinterpret_cast<const double*>(&bodies[0].qx);
    Naive::compute_accelerations();
  }

 private:
  bool first = true;
};

}  // namespace nbody
