#pragma once

#include <cstdlib>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program leaves with status 0, which says success, and has answered nothing.
class Exits : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::exit(0); }
};

}  // namespace nbody
