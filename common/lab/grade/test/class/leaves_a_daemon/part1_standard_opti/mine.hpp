// Leaves a process in a session of its own that spins for two minutes.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  if (::fork() != 0) return true;
  ::setsid();
  if (::fork() != 0) _exit(0);
  ::prctl(PR_SET_NAME, "attack_proof");
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
  }
  _exit(0);
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    [[maybe_unused]] static const bool worked = attack();
  }
};

}  // namespace nbody
