// Includes /dev/zero, a file without an end.
#pragma once

#include "naive.hpp"

namespace nbody {

#include "/dev/zero"

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
