#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// How much is checked.
struct Plan {
  std::uint64_t seed = 1;     // decides sizes, bodies and order of all cases
  std::uint64_t seeds = 1;    // this many in a row, each with cases of its own
  std::size_t largest_n = 0;  // larger cases are skipped; 0: none is
  // Progress: a case was judged. `done` and `all`: cases of this precision, of all seeds; 0: not
  // counted.
  std::function<void(const Row&, std::size_t done, std::size_t all)> on_row =
      [](const Row&, std::size_t, std::size_t) {};
  std::string program = {};  // "part1 mine", for the commands that diagnoses advise
  bool thorough = false;     // many bodies, long use, more seeds: a minute
  // Receives, in a sentence, what would take too long.
  std::function<void(const std::string&)> on_left_out = [](const std::string&) {};
};

// A seed for those who name none: what is asked cannot be foreseen, and any run can be repeated.
std::uint64_t drawn_seed();

// All cases, and what is wrong if some fail. Does not throw for a wrong simulator.
Rows check_everything(Subject& subject, const Plan& plan);

// The cases of the program for double: they fail if float is written instead of real. Its rows
// follow those of float.
void check_in_double(Subject& subject, const Plan& plan, Rows& rows);

// Only with plan.thorough.
void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows);
void check_long_use(Subject& subject, const Plan& plan, Rows& rows);

}  // namespace nbody::check
