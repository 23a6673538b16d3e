// A static object prints 100 MB to standard output before the lab can take it away.
#pragma once

#include <unistd.h>

#include <string>

#include "naive.hpp"

namespace nbody {

struct Floods {
  Floods() {
    const std::string block(1 << 20, 'x');
    for (int k = 0; k < 100; ++k) {
      if (::write(1, block.data(), block.size()) < 0) return;
    }
  }
};
inline const Floods floods;

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
