#pragma once

#include <functional>
#include <optional>
#include <string>

#include "worksheet/judge.hpp"
#include "worksheet/part1_answers.hpp"
#include "worksheet/true_counts.hpp"

namespace nbody {

// What the answers are judged with.
struct Part1Truth {
  // Counts of an implementation by name; nothing if it is not or cannot be counted.
  std::function<std::optional<TrueCounts>(const std::string&)> counts_of;
  int notebook_rows = 0;  // with an expectation and a measurement
  Disclosure disclosure = Disclosure::total;
};

// The worksheet, judged line by line. `answers(n)` is what the student wrote.
Lines judge_part1(const std::function<Part1Answers(double)>& answers, const Part1Truth& truth);

// Why the counts of an implementation are not shown yet; empty if they may be. The naive's come
// after right answers to questions 3 and 4, and so do those of code that still does its work.
std::string reason_to_hide_counts(const std::string& name, const Lines& judged,
                                  const Part1Truth& truth);

}  // namespace nbody
