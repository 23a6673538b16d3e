#pragma once

#include <cstddef>
#include <cstdio>

#include "check/zoo/plain.hpp"

namespace nbody {

// Writes to standard output while it computes, as one does while looking for a bug. The answers
// must not suffer.
template <typename T>
class Prints : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      std::printf("body %zu: ax = %g\n", i, static_cast<double>(acceleration.x[i]));
    }
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
