#pragma once

#include <unistd.h>

#include "check/zoo/plain.hpp"

namespace nbody {

// A static object waits in its destructor: each answer is right, but the program never ends.
class NeverEnds : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    struct Waits {
      ~Waits() {
        while (true) ::pause();
      }
    };
    static const Waits waits;
    Plain::compute_accelerations();
  }
};

}  // namespace nbody
