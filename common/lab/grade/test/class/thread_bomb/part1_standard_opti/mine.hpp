// Starts 4000 threads that sleep; gives up below 1000.
#pragma once

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  int started = 0;
  try {
    for (; started < 4000; ++started) {
      std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(1)); }).detach();
    }
  } catch (const std::system_error&) {
  }
  return started >= 1000;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
