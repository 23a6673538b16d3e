// A part of its own for the tests; the worksheet beside this file tries to fool or stop the judge.
#include "worksheet/question.hpp"

namespace nbody {

PartQuestions questions_of_part() {
  return {"part0",
          {text("0", "authors", "authors"), number("1", "seven", "seven", 7, 1e-6)},
          {},
          [](const std::string&) { return "none"; },
          {"1"}};
}

}  // namespace nbody
