// Hands in its own checker, build files, questions and command beside an honest header.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
