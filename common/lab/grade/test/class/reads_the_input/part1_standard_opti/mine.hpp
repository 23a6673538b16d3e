// Includes /dev/stdin, so that the compiler waits for typed input.
#pragma once

#include "naive.hpp"

namespace nbody {

#include "/dev/stdin"

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
