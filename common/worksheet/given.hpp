#pragma once

#include <functional>
#include <optional>
#include <string>

#include "worksheet/answer_text.hpp"
#include "worksheet/answers.hpp"
#include "worksheet/notebook_rows.hpp"
#include "worksheet/true_counts.hpp"

namespace nbody {

constexpr const char* forces = "compute_accelerations";

// What a count program counted of a function of an implementation, both by name; nothing if it was
// not or cannot be counted.
using CountsOf = std::function<std::optional<TrueCounts>(const std::string& implementation,
                                                         const std::string& function)>;

struct AtBothSizes {
  double first = 0, second = 0;
};

// What questions are judged by: the student's own answers and what was counted. Answers go by their
// names in worksheet.hpp; a name that is not there throws InputError.
struct Given {
  AnswersAtBothSizes answers;
  CountsOf counts_of;
  NotebookRows notebook;  // right ones

  double operator[](const std::string& name) const { return at_both_sizes(name).first; }
  AtBothSizes at_both_sizes(const std::string& name) const;
  char letter(const std::string& name) const;
  const std::string& text(const std::string& name) const;

  std::optional<double> counted(const std::string& implementation, const std::string& kind,
                                double n, const std::string& function = forces) const;
};

}  // namespace nbody
