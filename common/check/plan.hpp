#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody {

// How much is asked.
struct Plan {
  std::uint64_t seed = 1;        // first seed
  std::uint64_t seeds = 3;       // so many in a row: three make every kind of world
  std::size_t largest_n = 4099;  // sizes of the ladder above are left out
  std::function<void(const Row&)> on_row = [](const Row&) {};  // progress
  bool thorough = false;  // many bodies, long use, many repeats: a minute
  // What would take too long, in a sentence.
  std::function<void(const std::string&)> on_left_out = [](const std::string&) {};
};

// The groups of a check, in this order. Each appends its rows; none throws for a wrong simulator.
void check_forces(Subject& subject, const Plan& plan, Rows& rows);
void check_exact_cases(Subject& subject, const Plan& plan, Rows& rows);
void check_relations(Subject& subject, const Plan& plan, Rows& rows);
void check_steps(Subject& subject, const Plan& plan, Rows& rows);
void check_schemes(Subject& subject, const Plan& plan, Rows& rows);
void check_adaptive_step(Subject& subject, const Plan& plan, Rows& rows);
void check_conservation(Subject& subject, const Plan& plan, Rows& rows);
void check_threads(Subject& subject, const Plan& plan, Rows& rows);
// In place of threads, for a program of several processes.
void check_ranks(Subject& subject, const Plan& plan, Rows& rows);
// With plan.thorough only.
void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows);
void check_long_use(Subject& subject, const Plan& plan, Rows& rows);

// All of them.
Rows check_everything(Subject& subject, const Plan& plan);

// A few cases of the program for double beside that for float: they fail where float is written for
// real. Its rows come behind those of float.
void check_in_double(Subject& subject, const Plan& plan, Rows& rows);

}  // namespace nbody
