#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worksheet/line.hpp"

namespace nbody {

// Answers are expressions of n; they are judged at two numbers of bodies, so that a number which is
// right by chance for one does not pass.
constexpr double judged_sizes[] = {1000, 4099};

struct AtBothSizes {
  double first = 0, second = 0;
};

// "27 n^2 - 27 n" where the two values say so, else the first as a number.
std::string expression_text(const AtBothSizes& answer);

// One class of a count. No truth: it was not counted, or is no number for every n.
struct CountedClass {
  std::string question;
  AtBothSizes answer;
  std::optional<AtBothSizes> truth;
};

// Classes that are told about together, and their sum as last line (if there are several, and it
// has a name). `tolerance` is relative; one operation of an interaction is above 2 %. What is right
// within it but not exactly is off by terms in n only, which is told.
Lines judge_counts(const std::string& number, const std::vector<CountedClass>& classes,
                   const std::string& sum, double tolerance, Disclosure disclosure);

Line judge_exact(const std::string& number, const std::string& question, double answer,
                 double truth, double tolerance);

// `expected` is NaN while an earlier answer is missing; `waits_for` names it.
Line judge_follow_through(const std::string& number, const std::string& question, double answer,
                          double expected, double tolerance, const std::string& waits_for);

Line judge_choice(const std::string& number, const std::string& question, char answer,
                  std::uint32_t key);
// What a right letter of a question becomes, so that keys do not catch the eye. No secret.
std::uint32_t choice_key(const std::string& number, char letter);

Line record(const std::string& number, const std::string& question, double answer,
            const std::string& words = "");

// Ideas in NOTEBOOK.md, of which there should be as many as wanted.
Line record_notebook(const std::string& number, int rows, int wanted);

}  // namespace nbody
