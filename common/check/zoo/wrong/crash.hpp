#pragma once

#include <cstdlib>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program dies of a signal, as after a write out of bounds.
class Crash : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::abort(); }
};

}  // namespace nbody
