#pragma once

#include <cmath>

#include "check/zoo/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// What is called double is float inside, as after `float` was left standing in one line, or
// `rsqrtf` in a template. In float it is right.
template <typename T>
class FloatInsideDouble : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<float> inside(in_precision<float>(Problem<T>{bodies, G, std::sqrt(softening2)}));
    inside.compute_accelerations();
    Vectors<float> computed;
    inside.copy_accelerations(computed);
    acceleration = in_precision<T>(computed);
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
  using Plain<T>::G;
  using Plain<T>::softening2;
};

}  // namespace nbody
