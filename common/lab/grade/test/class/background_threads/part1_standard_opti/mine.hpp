// Leaves threads that spin between the requests, while others are timed.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  for (unsigned k = 0; k < 2 * std::thread::hardware_concurrency(); ++k) {
    std::thread([] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
      std::atomic<unsigned long> turns{0};
      while (std::chrono::steady_clock::now() < end) ++turns;
    }).detach();
  }
  return true;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    [[maybe_unused]] static const bool worked = attack();
  }
};

}  // namespace nbody
