#pragma once

#include <memory>
#include <type_traits>
#include <variant>

#include "simulator/contract.hpp"

// Every implementation is compiled with this: no heavy header here.
namespace nbody {

struct Accelerator;

template <typename T>
using Maker = std::unique_ptr<SimulatorOf<T>> (*)(const ProblemOf<T>&);

// The one implementation that a program holds; program.cpp.in defines it for each header.
struct Implementation {
  const char* part;
  const char* name;
  const char* summary;
  const char* flags;            // its own compiler flags
  const char* instruction_set;  // "avx2", ...; empty: one program for all machines
  std::variant<Maker<float>, Maker<double>> make;  // of its one number type
  // Flops of one iteration with n bodies, by a student's worksheet; null: no worksheet; NaN: not
  // answered yet.
  double (*flops_per_iteration)(double n) = nullptr;
  Choices choices = {};                      // of --block, --unroll and --grid
  const Accelerator* accelerator = nullptr;  // null: it runs on the CPU
  const char* remark = nullptr;              // by remark_on(); null: none

  Precision precision() const {
    return make.index() == 0 ? Precision::single_precision : Precision::double_precision;
  }
};

extern const Implementation implementation;

// What its program does: runs, or answers requests. Returns the exit status; throws InputError.
int run_simulator(int argc, char** argv);

// Flops of one compute_accelerations() by the student's worksheet, for the Gflop/s of a run; NaN if
// unanswered, or answered for another version. A separate object file, so that no compiler flag of
// an implementation affects it.
double live_flops_of(const char* name, double n);

// Is it the same function, of one class? Unless a class overrides a function, the address of its
// own has the type of its base's.
template <typename Own, typename Given>
constexpr bool are_one(Own, Given) {
  return std::is_same_v<Own, Given>;
}

// The remark on a class that derives from Naive and overrides nothing of it, as one with a
// misspelt name does that compiles because it lacks `override`; else null. ./lab looks for this
// sentence in the program (common/lab/src/nbody_lab/building/warnings.py).
template <typename Class, typename Naive>
constexpr const char* remark_on() {
  // A name that is overloaded or inaccessible has no address: nothing is said then.
  if constexpr (std::is_base_of_v<Naive, Class> && requires {
                  &Class::compute_accelerations;
                  &Class::largest_time_step;
                  &Class::update_bodies;
                  &Class::advance;
                }) {
    if (are_one(&Class::compute_accelerations, &Naive::compute_accelerations) &&
        are_one(&Class::largest_time_step, &Naive::largest_time_step) &&
        are_one(&Class::update_bodies, &Naive::update_bodies) &&
        are_one(&Class::advance, &Naive::advance)) {
      return "its class overrides no function of Naive, so it computes as naive does: is a name "
             "misspelt? With `override` behind it, the compiler tells";
    }
  }
  return nullptr;
}

}  // namespace nbody
