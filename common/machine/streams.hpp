#pragma once

#include <cstddef>
#include <vector>

#include "machine/kernel.hpp"
#include "machine/team.hpp"

namespace nbody {

// The arrays that one thread loads, copies or adds: `bytes` altogether, rounded down to whole
// blocks.
class Streams {
 public:
  Streams(const Traffic& traffic, std::size_t bytes);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  std::size_t bytes() const { return each_ * static_cast<std::size_t>(traffic_.arrays); }
  // The thread that calls it is the first to touch the memory. A piece of work is a part of large
  // arrays, one after the other: windows may be short, and what was there is out of the caches
  // when its turn comes again.
  Work work();

 private:
  const Traffic& traffic_;
  std::size_t each_;  // bytes of an array
  char* memory_;
};

}  // namespace nbody
