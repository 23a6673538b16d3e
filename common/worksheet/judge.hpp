#pragma once

#include <optional>
#include <string>
#include <vector>

#include "worksheet/given.hpp"
#include "worksheet/line.hpp"
#include "worksheet/question.hpp"

namespace nbody {

// A truth of 0 wants a 0.
bool matches(double answer, double truth, double tolerance);

// "27 n^2 - 27 n" where the two values say so, else the first as a number.
std::string expression_text(const AtBothSizes& answer);

// One class of a count. No truth: it was not counted, or is no number for every n.
struct CountedClass {
  std::string question;
  AtBothSizes answer;
  std::optional<AtBothSizes> truth;
  Unit unit = Unit::none;
};

// Classes that are told about together, and their sum as last line (if there are several, and it
// has a name). `tolerance` is relative; one operation of an interaction is above 2 %. What is right
// within it but not exactly is off by terms in n only, which is told. A known slip is named where
// its class is, and of the sum where all classes have it.
Lines judge_counts(const std::string& number, const std::vector<CountedClass>& classes,
                   const std::string& sum, double tolerance, Disclosure disclosure);

// A number against the truth, or against what follows from the student's earlier answers.
Line judge_number(const Question& question, double answer, double expected);

Line judge_choice(const Question& question, char answer);

// One question, line by line.
Lines judge(const Question& question, const Given& given, Disclosure disclosure);

}  // namespace nbody
