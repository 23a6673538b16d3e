// Honest: a version that does not compile.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naiv;
};

}  // namespace nbody
