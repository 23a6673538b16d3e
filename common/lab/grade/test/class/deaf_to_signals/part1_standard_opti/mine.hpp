// Loops for ever and ignores every signal that can be ignored.
#pragma once

#include <csignal>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    for (int signal = 1; signal < 32; ++signal) std::signal(signal, SIG_IGN);
    for (volatile bool turns = true; turns;) {
    }
  }
};

}  // namespace nbody
