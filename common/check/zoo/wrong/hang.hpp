#pragma once

#include <chrono>
#include <thread>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program never answers, as in a deadlock or a loop whose counter is too small for n.
class Hang : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};

}  // namespace nbody
