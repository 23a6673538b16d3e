#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "work/counted_implementation.hpp"
#include "work/counts.hpp"
#include "work/polynomial.hpp"

namespace nbody {

// The work of one iteration, function by function.
struct Work {
  Counts compute_accelerations, largest_time_step, update_bodies;
};

// One of the three, or some together.
struct WorkPart {
  const char* name;
  Counts (*of)(const Work&);
};
const std::vector<WorkPart>& counted_functions();
// An iteration with a fixed and with an adaptive time step.
const std::vector<WorkPart>& iterations();

struct WorkClass {
  const char* key;    // in JSON
  const char* label;  // in tables
  bool rare;          // shown only where there is some
  std::uint64_t (*of)(const Counts&);
};
extern const WorkClass all_flops, all_memops;
// Each class of flops, their sum, loads, stores, their sum.
const std::vector<WorkClass>& work_classes();

// Polynomials are laid through the first three sizes and verified on the fourth. Multiples of 256,
// so that remainders of tiles and unrolled loops, which are no polynomial, stay out.
constexpr std::size_t size_step = 256;
constexpr std::array<std::size_t, 4> fitted_sizes = {256, 512, 768, 1024};
// Beyond, polynomials have to do: counting takes a second or two here.
constexpr std::size_t largest_counted = 4200;

struct WorkCount {
  std::array<Work, fitted_sizes.size()> fitted;
  std::size_t n = 0;
  std::optional<Work> at_n;  // counted with n bodies, up to largest_counted
  double error = 0;          // of accelerations, the worst of all runs

  // Nothing when the fourth size says that it is none: the work depends on where the bodies are.
  std::optional<Polynomial> polynomial(const WorkPart& part, const WorkClass& kind) const;
};

// Throws CannotCount with one line when the code goes past the counting.
WorkCount count_work(const CountedImplementation& implementation, std::size_t n);

class CannotCount : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace nbody
