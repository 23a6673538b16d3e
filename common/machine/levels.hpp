#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "machine/facts.hpp"

namespace nbody::machine {

// A memory level, and how much data is read to measure it.
struct Level {
  std::string name;       // "L1", "L2", "L3", "DRAM"
  std::size_t bytes = 0;  // all arrays of one thread together
  std::string why_not;    // why this may not be a ceiling; empty: it is one
};

// Half of each cache, since other data need the rest; each core has its L1 and L2, L3 is shared.
// Memory: four times all L3 together, limited by `free_memory`. A cache that the system does not
// report has no level.
std::vector<Level> levels_of(const MachineFacts& facts, std::size_t threads,
                             std::size_t free_memory);

}  // namespace nbody::machine
