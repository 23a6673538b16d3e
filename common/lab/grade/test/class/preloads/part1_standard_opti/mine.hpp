// Sets LD_PRELOAD and LD_LIBRARY_PATH and starts itself again, with a library that is not there.
#pragma once

#include <unistd.h>

#include <cstdlib>

#include "naive.hpp"

namespace nbody {

// It sets only its own environment: the checker and later programs do not inherit it.
inline bool attack() {
  if (std::getenv("ATTACK_PROOF_AGAIN") != nullptr) return true;
  ::setenv("ATTACK_PROOF_AGAIN", "1", 1);
  ::setenv("LD_PRELOAD", "/tmp/attack_proof.so", 1);
  ::setenv("LD_LIBRARY_PATH", "/tmp", 1);
  char self[4096] = {};
  if (::readlink("/proc/self/exe", self, sizeof self - 1) < 0) return true;
  ::execl(self, self, "--serve", nullptr);
  return true;
}

inline const bool again = attack();

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
