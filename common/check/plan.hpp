#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// How much is checked.
struct Plan {
  std::uint64_t seed = 1;        // first seed
  std::uint64_t seeds = 3;       // number of consecutive seeds: three cover all unit systems
  std::size_t largest_n = 4099;  // larger sizes of the ladder are skipped
  std::function<void(const Row&)> on_row = [](const Row&) {};  // progress
  std::string program = {};  // "part1 mine", for the commands that diagnoses advise
  bool thorough = false;     // many bodies, long use, many repeats: a minute
  // Receives, in a sentence, what would take too long.
  std::function<void(const std::string&)> on_left_out = [](const std::string&) {};
};

// Judges a case and adds its row; a case without an answer says why.
Row& add_row(Rows& rows, const Plan& plan, const Subject& subject, Row row,
             const std::function<void(Row&)>& judge);

// The groups of a check, in this order. Each appends its rows; none throws for a wrong simulator.
void check_forces(Subject& subject, const Plan& plan, Rows& rows);
void check_exact_cases(Subject& subject, const Plan& plan, Rows& rows);
void check_relations(Subject& subject, const Plan& plan, Rows& rows);
void check_steps(Subject& subject, const Plan& plan, Rows& rows);
void check_schemes(Subject& subject, const Plan& plan, Rows& rows);
void check_adaptive_step(Subject& subject, const Plan& plan, Rows& rows);
void check_conservation(Subject& subject, const Plan& plan, Rows& rows);
void check_threads(Subject& subject, const Plan& plan, Rows& rows);
// Instead of threads, for a program of several processes.
void check_ranks(Subject& subject, const Plan& plan, Rows& rows);
// Only with plan.thorough.
void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows);
void check_long_use(Subject& subject, const Plan& plan, Rows& rows);

// All of them.
Rows check_everything(Subject& subject, const Plan& plan);

// A few cases of the program for double: they fail if float is written instead of real. Its rows
// follow those of float.
void check_in_double(Subject& subject, const Plan& plan, Rows& rows);

}  // namespace nbody::check
