#pragma once

#include <cstdlib>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program dies of a signal, as after a write out of bounds.
template <typename T>
class Crash : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override { std::abort(); }
};

}  // namespace nbody
