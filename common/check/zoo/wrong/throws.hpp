#pragma once

#include <stdexcept>

#include "check/zoo/plain.hpp"

namespace nbody {

// An exception leaves the simulator.
class Throws : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { throw std::out_of_range("index 8 of 7"); }
};

}  // namespace nbody
