// Flags that the white list lets pass, and that write files and a long log.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
