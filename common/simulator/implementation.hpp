#pragma once

#include <memory>
#include <string>

#include "simulator/simulator.hpp"

namespace nbody {

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
};

extern const Implementation implementation;

}  // namespace nbody
