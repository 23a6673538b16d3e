#pragma once

#include <string>
#include <vector>

namespace nbody::protocol {

// Words in front of a program's path, the first one also a path: of a sandbox, or of a launcher for
// several processes: "/usr/bin/mpiexec -n RANKS", where RANKS stands for their number.
struct Launch {
  std::vector<std::string> words = {};
  unsigned ranks = 1;

  bool has_ranks() const;
  std::vector<std::string> filled() const;
};

}  // namespace nbody::protocol
