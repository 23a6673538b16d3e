#pragma once

#include <string>

namespace nbody {

// Extra abilities of programs for a device (common/cuda) or of many processes (common/mpi).
struct Accelerator {
  void (*demand)();              // throws InputError, in one line, if it is missing
  std::string (*description)();  // for result files: name, clock, software versions
  void (*start_profile)();
  std::string (*profile)(double wall_s);  // a table of what it has done since then
  // For a program of several processes, else null: joins the others, sets `all_ranks`
  // (simulator/ranks.hpp) and calls `program`.
  int (*on_all_ranks)(int (*program)(int, char**), int argc, char** argv) = nullptr;
  bool is_emulated = false;  // emulated by the CPU (common/cuda/on_cpu): no speed is shown
};

}  // namespace nbody
