#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// What programs for a device of its own can do besides (common/cuda).
struct Accelerator {
  void (*demand)();              // throws InputError with one line where the device is missing
  std::string (*description)();  // for results: its name, clock, the versions of its software
  void (*start_profile)();
  std::string (*profile)(double wall_s);  // a table of what it did since
};

// The one implementation that a program holds; program.cpp.in defines it for each header.
struct Implementation {
  const char* part;
  const char* name;
  const char* summary;
  const char* flags;  // compiler flags of its own
  std::unique_ptr<Simulator<float>> (*make_float)(const Problem<float>&);
  std::unique_ptr<Simulator<double>> (*make_double)(const Problem<double>&);
  // Flops of one iteration with n bodies by a student's worksheet; null: there is none. NaN: not
  // answered yet.
  double (*flops_per_iteration)(double n) = nullptr;
  // What --block and --unroll may be, the usual one first; empty: there is no such option.
  std::vector<unsigned> block_sizes = {}, unrolls = {};
  const Accelerator* accelerator = nullptr;  // null: it runs on the processor
};

extern const Implementation implementation;

}  // namespace nbody
