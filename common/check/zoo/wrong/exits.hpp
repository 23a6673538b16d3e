#pragma once

#include <cstdlib>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program exits with status 0 (success) without an answer.
class Exits : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::exit(0); }
};

}  // namespace nbody
