#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// What is checked, and how much, as ./lab asks for it (check/plan.py of its Python package).
struct Plan {
  std::vector<Program> programs = {};
  std::string tolerance = "standard";
  std::string precision = "float";
  std::uint64_t seed = 1;      // decides sizes, bodies and order of all cases
  std::uint64_t seeds = 1;     // this many in a row, each with cases of its own
  std::size_t largest_n = 0;   // larger cases are skipped; 0: none is
  double timeout_s = 20;       // for one answer
  bool thorough = false;       // many bodies, long use, more seeds: a minute
  bool builds_double = false;  // on request: see main.cpp

  // Progress: a case was judged. `done` and `all`: cases of this precision, of all seeds; 0: not
  // counted.
  std::function<void(const Row&, std::size_t done, std::size_t all)> on_row =
      [](const Row&, std::size_t, std::size_t) {};
  // Receives, in a sentence, what is not asked.
  std::function<void(const std::string&)> on_left_out = [](const std::string&) {};
};

// All cases up to the first family that is wrong, and what is wrong; if nothing is, those of the
// program for double, which fail if float is written instead of real. Does not throw for a wrong
// simulator.
Rows check_everything(Subject& subject, const Plan& plan);

// Only with plan.thorough.
void check_long_use(Subject& subject, const Plan& plan, Rows& rows);

// The failure that says most about what is wrong; null if none failed.
const Row* most_informative_row(const Rows& rows);

}  // namespace nbody::check
