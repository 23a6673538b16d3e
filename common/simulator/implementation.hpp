#pragma once

#include <vector>

#include "protocol/precision.hpp"
#include "simulator/contract.hpp"

// Every implementation is compiled with this: no heavy header here.
namespace nbody {

struct Accelerator;

// Makes the program's simulator with `new`, in its one number type.
struct MakeSimulator {
  SimulatorOf<float>* (*in_float)(const ProblemOf<float>&) = nullptr;
  SimulatorOf<double>* (*in_double)(const ProblemOf<double>&) = nullptr;

  MakeSimulator(SimulatorOf<float>* (*make)(const ProblemOf<float>&)) : in_float(make) {}
  MakeSimulator(SimulatorOf<double>* (*make)(const ProblemOf<double>&)) : in_double(make) {}
};

// The one implementation that a program holds; program.cpp.in defines it for each header.
struct Implementation {
  const char* part;
  const char* name;
  const char* summary;
  const char* flags;            // its own compiler flags
  const char* instruction_set;  // "avx2", ...; empty: one program for all machines
  MakeSimulator make;
  // Flops of one iteration with n bodies, by a student's worksheet; null: no worksheet; NaN: not
  // answered yet.
  double (*flops_per_iteration)(double n) = nullptr;
  // Allowed values of --block and --unroll, the default first; empty: no such option.
  std::vector<unsigned> block_sizes = {}, unrolls = {};
  const Accelerator* accelerator = nullptr;  // null: it runs on the CPU
  bool has_jerk = false;

  protocol::Precision precision() const {
    return make.in_float != nullptr ? protocol::Precision::single_precision
                                    : protocol::Precision::double_precision;
  }
};

extern const Implementation implementation;

}  // namespace nbody
