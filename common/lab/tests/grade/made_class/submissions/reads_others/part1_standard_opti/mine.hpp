// Looks for sources of others, and for the seed on the command line of the checker.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "naive.hpp"

namespace nbody {

// What it finds becomes the words of its refusal, which the diagnosis shows.
inline void show_neighbours(const std::string& folder) {
  DIR* list = ::opendir(folder.c_str());
  if (list == nullptr) return;
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
}

inline void show_seed() {
  for (int process = 1; process <= ::getppid(); ++process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
    std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::replace(line.begin(), line.end(), '\0', ' ');
    const std::size_t at = line.find("--seed ");
    if (at != std::string::npos) throw std::runtime_error("attack_proof: " + line.substr(at, 24));
  }
}

inline bool attack() {
  const std::string file = __FILE__;
  std::string up = file.substr(0, file.rfind('/') + 1);
  for (int level = 0; level < 8; ++level, up += "../") {
    for (const char* folder : {"", "submissions/", "class/", "unpacked/", "work/"}) {
      show_neighbours(up + folder);
    }
  }
  for (const char* folder : {"/tmp/", "/class/", "/submissions/", "/home/"}) {
    show_neighbours(folder);
  }
  show_seed();
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
