#pragma once

#include <optional>
#include <string>

#include "attempt/attempt.hpp"
#include "attempt/comparison.hpp"

namespace nbody::attempt {

// The row of the student's notebook that an attempt is compared with, as Python passes it on.
struct RowBefore {
  std::string number, name;
  double times_naive = 0, spread = 0;  // for an estimate, if its program is gone
};

// An attempt, compared with the previous row.
struct Trial {
  double expected = 1;
  std::string conditions;           // bodies, step, threads, flags: in words
  std::string conditions_before;    // those of the previous row, if different
  std::optional<RowBefore> before;  // empty: naive
  Attempt attempt;
  // Set by compare(); empty if the program gave no number.
  std::optional<Gain> over_before, over_naive;
  double before_over_naive = 0;  // 0: not measured side by side
};

void compare(Trial& trial);

std::string verdict_of(const Trial& trial);
std::string trial_text(const Trial& trial, const std::string& name);

}  // namespace nbody::attempt
