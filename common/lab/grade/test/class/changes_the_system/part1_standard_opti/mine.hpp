// Writes into /etc, where a library could be loaded into every program; gives up where not.
#pragma once

#include <unistd.h>

#include <cstdio>

#include "naive.hpp"

namespace nbody {

// A file of its own in place of /etc/ld.so.preload, which would harm the machine.
inline bool attack() {
  std::FILE* file = std::fopen("/etc/attack_proof_ld.so.preload", "w");
  return file != nullptr && std::fclose(file) == 0;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
