#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "protocol/precision.hpp"
#include "simulator/contract.hpp"

// Every implementation is compiled with this: no heavy header here.
namespace nbody {

struct Accelerator;

template <typename T>
using Maker = std::unique_ptr<SimulatorOf<T>> (*)(const ProblemOf<T>&);

// Makes the program's simulator, in its one number type.
struct MakeSimulator {
  Maker<float> in_float = nullptr;
  Maker<double> in_double = nullptr;

  MakeSimulator(Maker<float> make) : in_float(make) {}
  MakeSimulator(Maker<double> make) : in_double(make) {}
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
  unsigned largest_grid = 0;                 // of --grid; 0: no such option
  const Accelerator* accelerator = nullptr;  // null: it runs on the CPU
  bool has_jerk = false;

  protocol::Precision precision() const {
    return make.in_float != nullptr ? protocol::Precision::single_precision
                                    : protocol::Precision::double_precision;
  }
};

extern const Implementation implementation;

// Flops of one compute_accelerations() by the student's worksheet, for the Gflop/s of a run; NaN if
// unanswered, or answered for another version. A separate object file, so that no compiler flag of
// an implementation affects it.
double live_flops_of(const char* name, double n);

// Does the class, or a base of it, compute the jerk? Unless it is overridden, the address of the
// function has the contract's type.
template <typename Class, typename Contract>
constexpr bool has_jerk() {
  // False for a class whose members are inaccessible: another message explains that.
  if constexpr (requires { &Class::accelerations_and_jerk; }) {
    return !std::is_same_v<decltype(&Class::accelerations_and_jerk),
                           decltype(&Contract::accelerations_and_jerk)>;
  }
  return false;
}

}  // namespace nbody
