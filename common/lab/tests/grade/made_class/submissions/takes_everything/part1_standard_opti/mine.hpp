// Takes 6 GB of memory and touches every page; gives up where it may not.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdlib>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  for (int gigabyte = 0; gigabyte < 6; ++gigabyte) {
    constexpr std::size_t size = std::size_t{1} << 30;
    auto* memory = static_cast<volatile char*>(std::malloc(size));
    if (memory == nullptr) return false;
    for (std::size_t at = 0; at < size; at += 4096) memory[at] = 1;
  }
  return true;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
