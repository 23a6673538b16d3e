// Includes /dev/stdin, so that the compiler waits for somebody who types.
#pragma once

#include "naive.hpp"

namespace nbody {

#include "/dev/stdin"

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
