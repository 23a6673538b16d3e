// A worksheet that prints 1 GB before its answers, and sleeps behind them.
#pragma once

#include <unistd.h>

#include "worksheet/answers.hpp"

namespace nbody {

struct Floods {
  Floods() {
    const std::string block(1 << 20, 'x');
    for (int k = 0; k < 1024; ++k) {
      if (::write(1, block.data(), block.size()) < 0) break;
    }
  }
  ~Floods() { ::sleep(600); }
};
inline const Floods floods;

struct Worksheet {
  double n;
  std::string authors = "Grace Hopper";
};

}  // namespace nbody
