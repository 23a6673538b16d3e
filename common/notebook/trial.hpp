#pragma once

#include <optional>
#include <string>

#include "notebook/attempt.hpp"
#include "notebook/comparison.hpp"
#include "notebook/rows.hpp"

namespace nbody {

// What an attempt says beside the row before.
struct Trial {
  double expected = 1;
  std::string conditions;             // bodies, step, threads, flags
  std::optional<NotebookRow> before;  // empty: the naive is
  Attempt attempt;
  // Set by compare(); empty when the program gave no number.
  std::optional<Gain> over_before, over_naive;
  double before_over_naive = 0;  // 0: not measured side by side
};

void compare(Trial& trial);

// All but number, date, name and idea.
NotebookRow row_of(const Trial& trial);
std::string verdict_of(const Trial& trial);
// "row 3, mine", or "naive".
std::string name_of_before(const Trial& trial);
std::string trial_text(const Trial& trial, const std::string& name);

}  // namespace nbody
