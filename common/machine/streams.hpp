#pragma once

#include "machine/kernel.hpp"

namespace nbody::machine {

// Loads, copies or adds the arrays of the calling thread, `bytes` in all rounded down to whole
// blocks; returns how many bytes that were. A call goes over a piece of large arrays, and the next
// call over the next one: windows may be short, and a piece has left the caches before its next
// turn.
double go_over_piece(const Traffic& traffic, std::size_t bytes);

}  // namespace nbody::machine
