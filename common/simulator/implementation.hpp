#pragma once

#include <memory>
#include <type_traits>
#include <variant>

#include "simulator/contract.hpp"
#include "simulator/precision.hpp"

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
  bool has_jerk = false;
  const char* remark = nullptr;  // by remark_on(); null: none

  Precision precision() const {
    return make.index() == 0 ? Precision::single_precision : Precision::double_precision;
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

// Is a function of the class another one than Naive's, with the same signature?
template <typename Own, typename Class, typename Given, typename Naive>
constexpr bool overrides(Own Class::*, Given Naive::*) {
  return !std::is_same_v<Class, Naive> && std::is_convertible_v<Own Class::*, Given Class::*>;
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
    if constexpr (!overrides(&Class::compute_accelerations, &Naive::compute_accelerations) &&
                  !overrides(&Class::largest_time_step, &Naive::largest_time_step) &&
                  !overrides(&Class::update_bodies, &Naive::update_bodies) &&
                  !overrides(&Class::advance, &Naive::advance)) {
      return "its class overrides no function of Naive, so it computes as naive does: is a name "
             "misspelt? With `override` behind it, the compiler tells";
    }
  }
  return nullptr;
}

}  // namespace nbody
