#pragma once

#include <functional>
#include <string>

#include "worksheet/line.hpp"
#include "worksheet/part3_answers.hpp"
#include "worksheet/truth.hpp"

namespace nbody {

// The worksheet of part 3, judged line by line. `answers(n)` is what the student wrote.
Lines judge_part3(const std::function<Part3Answers(double)>& answers, const WorksheetTruth& truth);

// Counts of the naive are shown after right answers to questions 6 and 8.
std::string reason_to_hide_counts_of_part3(const std::string& name, const Lines& judged,
                                           const WorksheetTruth& truth);

}  // namespace nbody
