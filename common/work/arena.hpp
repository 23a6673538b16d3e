#pragma once

// With arena.cpp in a program, operator new serves one range of addresses, and `heap`
// (work/counts.hpp) is that range: what lies in it counts as memory, everything else as registers.
// malloc and aligned_alloc are not seen. Only one thread may use it: a second one ends the program.
namespace nbody::work {

// Call once, before numbers are counted. Throws std::bad_alloc.
void open_arena();

}  // namespace nbody::work
