#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "work/counted_implementation.hpp"
#include "work/counts.hpp"
#include "work/polynomial.hpp"

namespace nbody::work {

// The work of one call of each function. The first three make an iteration; the others serve
// integrators, and an implementation may lack them.
struct Work {
  Counts compute_accelerations, largest_time_step, update_bodies;
  std::optional<Counts> kick, drift, accelerations_and_jerk;
};

// One of the functions, or some together.
struct WorkPart {
  std::string name;
  std::function<Counts(const Work&)> of;
};
// The functions of an iteration, which every implementation has.
const std::vector<WorkPart>& counted_functions();
// The functions for integrators that this implementation has, or lacks.
std::vector<WorkPart> functions_for_integrators(const Work& work);
std::vector<std::string> missing_functions(const Work& work);
std::vector<WorkPart> all_functions(const Work& work);
// An iteration with a fixed and with an adaptive time step.
const std::vector<WorkPart>& iterations();

struct WorkClass {
  const char* key;    // in JSON
  const char* label;  // in tables
  bool rare;          // only shown if not zero
  std::uint64_t (*of)(const Counts&);
};
extern const WorkClass all_flops, all_memops;
// Each class of flops, their sum, loads, stores, their sum.
const std::vector<WorkClass>& work_classes();

// Polynomials are laid through the first three sizes and verified on the fourth. Multiples of 256,
// so that remainders of tiles and unrolled loops, which are not polynomial, do not occur.
constexpr std::size_t size_step = 256;
constexpr std::array<std::size_t, 4> fitted_sizes = {256, 512, 768, 1024};
// Above this, polynomials have to do: counting takes a second or two here.
constexpr std::size_t largest_counted = 4200;

struct WorkCount {
  std::array<Work, fitted_sizes.size()> fitted;
  std::size_t n = 0;
  std::optional<Work> at_n;  // counted with n bodies, up to largest_counted
  double error = 0;          // of accelerations, worst of all runs

  // Nothing if the fourth size does not fit: then the work depends on where the bodies are.
  std::optional<Polynomial> polynomial(const WorkPart& part, const WorkClass& kind) const;
};

// Throws CannotCount, in one line, if the code bypasses the counting.
WorkCount count_work(const CountedImplementation& implementation, std::size_t n);

class CannotCount : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace nbody::work
