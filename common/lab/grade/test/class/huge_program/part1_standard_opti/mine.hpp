// Three lines that make a program of 3 GB.
#pragma once

#include "naive.hpp"

namespace nbody {

asm(".data\n.fill 3000000000, 1, 1\n.text");

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
