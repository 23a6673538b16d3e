// A worksheet whose static object never lets main() begin.
#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

struct Hangs {
  Hangs() {
    for (volatile bool turns = true; turns;) {
    }
  }
};
inline const Hangs hangs;

struct Worksheet {
  double n;
  std::string authors = "Grace Hopper";
};

}  // namespace nbody
