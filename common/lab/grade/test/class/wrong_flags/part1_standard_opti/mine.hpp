// Flags that would load a plug-in into the compiler.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
