// Writes into /tmp, /etc, the home folder and beside its source; goes on with right answers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  const char* home = std::getenv("HOME");
  const std::string source = __FILE__;
  const std::string beside = source.substr(0, source.rfind('/'));
  for (const std::string& folder :
       {std::string("/tmp"), std::string("/etc"), std::string("/dev/shm"),
        std::string(home != nullptr ? home : "/root"), beside}) {
    if (std::FILE* file = std::fopen((folder + "/attack_proof_elsewhere").c_str(), "w")) {
      std::fputs("written\n", file);
      std::fclose(file);
    }
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
