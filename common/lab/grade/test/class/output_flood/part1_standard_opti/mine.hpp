// Writes 2 GB to standard error, with right answers beside it.
#pragma once

#include <unistd.h>

#include <string>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  const std::string line(1 << 20, 'x');
  for (int megabyte = 0; megabyte < 2048; ++megabyte) {
    if (::write(2, line.data(), line.size()) < 0) return false;
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
