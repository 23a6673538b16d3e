#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "machine/facts.hpp"

namespace nbody {

// A place where data may lie, and how much of it is read to measure that place.
struct Level {
  std::string name;       // "L1", "L2", "L3", "DRAM"
  std::size_t bytes = 0;  // all arrays of one thread together
  std::string why_not;    // what speaks against calling this a ceiling; empty: nothing
};

// Half of each cache, since the other half is for whoever else is there; L1 and L2 belong to a core
// each, L3 is shared. Memory: four times all L3 together, of which `free_memory` may forbid a part.
// A cache that the system does not tell of has no level.
std::vector<Level> levels_of(const MachineFacts& facts, std::size_t threads,
                             std::size_t free_memory);

}  // namespace nbody
