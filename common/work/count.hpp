#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "work/counted_implementation.hpp"
#include "work/polynomial.hpp"
#include "work/work.hpp"

namespace nbody::work {

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
