#pragma once

#include <cstddef>

#include "machine/kernel.hpp"
#include "machine/team.hpp"

namespace nbody::machine {

// The arrays that one thread loads, copies or adds: `bytes` in all, rounded down to whole blocks.
class Streams {
 public:
  Streams(const Traffic& traffic, std::size_t bytes);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  std::size_t bytes() const { return each_ * static_cast<std::size_t>(traffic_.arrays); }
  // The calling thread touches the memory first. Pieces of work go through large arrays in turn:
  // windows may be short, and a piece has left the caches before its next turn.
  Work work();

 private:
  const Traffic& traffic_;
  std::size_t each_;  // bytes of an array
  char* memory_;
};

}  // namespace nbody::machine
