#pragma once

#include <string>

namespace nbody {

// What programs for a device of its own (common/cuda) or of many processes (common/mpi) can do
// besides.
struct Accelerator {
  void (*demand)();              // throws InputError with one line where it is missing
  std::string (*description)();  // for results: its name, clock, the versions of its software
  void (*start_profile)();
  std::string (*profile)(double wall_s);  // a table of what it did since
  // Of a program of several processes; null: it is one. The first is called before anything else,
  // and returns on rank 0 alone; the second says how many there are.
  void (*join_ranks)() = nullptr;
  unsigned (*ranks)() = nullptr;
  bool is_played = false;  // by the CPU (common/cuda_on_cpu): no speed is shown
};

}  // namespace nbody
