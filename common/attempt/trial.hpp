#pragma once

#include <optional>
#include <string>

#include "attempt/attempt.hpp"
#include "attempt/comparison.hpp"

namespace nbody {

// A row of the student's notebook that an attempt is compared with, as far as Python tells it.
struct RowBefore {
  std::string number, name;
  double times_naive = 0, spread = 0;  // for an estimate, where its program is gone
};

// What an attempt says beside the row before.
struct Trial {
  double expected = 1;
  std::string conditions;           // bodies, step, threads, flags: in words
  std::string conditions_before;    // of the row before, where they differ
  std::optional<RowBefore> before;  // empty: the naive is
  Attempt attempt;
  // Set by compare(); empty when the program gave no number.
  std::optional<Gain> over_before, over_naive;
  double before_over_naive = 0;  // 0: not measured side by side
};

void compare(Trial& trial);

std::string verdict_of(const Trial& trial);
std::string trial_text(const Trial& trial, const std::string& name);

}  // namespace nbody
