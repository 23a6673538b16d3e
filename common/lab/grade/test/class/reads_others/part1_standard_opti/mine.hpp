// Looks for the sources of other submissions where its own lies; gives up without.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "naive.hpp"

namespace nbody {

// The first source of a neighbour's below this folder becomes the words of its refusal.
inline bool show_neighbours(const std::string& folder) {
  DIR* list = ::opendir(folder.c_str());
  if (list == nullptr) return false;
  while (const dirent* entry = ::readdir(list)) {
    const std::string name = entry->d_name;
    if (name.empty() || name[0] == '.' || name.find("reads_others") != std::string::npos) continue;
    std::ifstream source(folder + name + "/part1_standard_opti/mine.hpp");
    std::string line;
    if (std::getline(source, line)) {
      throw std::runtime_error("attack_proof: " + name + " has: " + line);
    }
  }
  ::closedir(list);
  return false;
}

inline bool attack() {
  const std::string file = __FILE__;
  std::string up = file.substr(0, file.rfind('/') + 1);
  for (int level = 0; level < 8; ++level, up += "../") {
    for (const char* folder : {"", "submissions/", "class/", "unpacked/", "work/"}) {
      show_neighbours(up + folder);
    }
  }
  for (const char* folder : {"/tmp/", "/class/", "/submissions/", "/home/"})
    show_neighbours(folder);
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
