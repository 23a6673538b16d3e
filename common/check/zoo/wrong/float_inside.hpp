#pragma once

#include <cmath>

#include "check/zoo/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// The program for double computes in float inside, as after a forgotten `float` in one line, or
// `rsqrtf` in a template. Right in float.
class FloatInside : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    PlainOf<float> inside(in_precision<float>(Problem{bodies, G, std::sqrt(softening2)}));
    inside.compute_accelerations();
    Vectors<float> computed;
    inside.copy_accelerations(computed);
    acceleration = in_precision<real>(computed);
  }
};

}  // namespace nbody
