#pragma once

#include <functional>
#include <string>

#include "worksheet/line.hpp"
#include "worksheet/part1_answers.hpp"
#include "worksheet/truth.hpp"

namespace nbody {

using Part1Truth = WorksheetTruth;

// The worksheet, judged line by line. `answers(n)` is what the student wrote.
Lines judge_part1(const std::function<Part1Answers(double)>& answers, const Part1Truth& truth);

// Why the counts of an implementation are not shown yet; empty if they may be. The naive's come
// after right answers to questions 3 and 4, and so do those of code that still does its work.
std::string reason_to_hide_counts(const std::string& name, const Lines& judged,
                                  const Part1Truth& truth);

}  // namespace nbody
