// Honest: the first of four versions, which is the given code.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
