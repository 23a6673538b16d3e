#pragma once

#include <string>

namespace nbody {

// Extra abilities of programs for a device (common/cuda) or of many processes (common/mpi).
struct Accelerator {
  void (*demand)();              // throws InputError, in one line, if it is missing
  std::string (*description)();  // for result files: name, clock, software versions
  void (*start_profile)();
  std::string (*profile)(double wall_s);  // a table of what it has done since then
  // For a program of several processes, else null. The first is called before anything else and
  // returns on rank 0 only; the second returns the number of processes.
  void (*join_ranks)() = nullptr;
  unsigned (*ranks)() = nullptr;
  bool is_emulated = false;  // emulated by the CPU (common/cuda/on_cpu): no speed is shown
};

}  // namespace nbody
