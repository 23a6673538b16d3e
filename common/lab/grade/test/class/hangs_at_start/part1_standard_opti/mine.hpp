// A static object whose constructor never ends, before main() begins.
#pragma once

#include "naive.hpp"

namespace nbody {

struct Hangs {
  Hangs() {
    for (volatile bool turns = true; turns;) {
    }
  }
};
inline const Hangs hangs;

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
