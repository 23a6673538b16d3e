#pragma once

#include <functional>
#include <string>

#include "worksheet/line.hpp"
#include "worksheet/part2_answers.hpp"
#include "worksheet/truth.hpp"

namespace nbody {

// The worksheet of part 2, judged line by line. `answers(n)` is what the student wrote.
Lines judge_part2(const std::function<Part2Answers(double)>& answers, const WorksheetTruth& truth);

// Counts of the naive are shown after right answers to question 3.
std::string reason_to_hide_counts_of_part2(const std::string& name, const Lines& judged,
                                           const WorksheetTruth& truth);

}  // namespace nbody
