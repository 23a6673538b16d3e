#pragma once

#include <string>

#include "worksheet/question.hpp"

namespace nbody {

// A worksheet that was judged.
struct Sheet {
  std::string part;
  std::string authors;
  std::string paper_machine;  // one line: what the authors' names make
  Lines lines;
};

Sheet judged_sheet(const PartQuestions& part, const Given& given,
                   Disclosure disclosure = Disclosure::total);

// Why the counts of an implementation are not shown yet; empty if they may be. The naive's are
// shown once they were found by hand, and so are those of code that still does its work.
std::string reason_to_hide_counts(const std::string& name, const PartQuestions& part,
                                  const Given& given);

// The program that writes the answers of a worksheet.hpp (write_answers.hpp), as C++.
std::string source_of_student_program(const PartQuestions& part, const std::string& header);

}  // namespace nbody
