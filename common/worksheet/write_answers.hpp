#pragma once

#include "worksheet/answer_text.hpp"

namespace nbody {

// The main() of the program that has the student's worksheet.hpp in it and nothing else: it writes
// the answers to standard output and judges nothing. What the student's code prints, and the words
// of an exception, go to standard error. Returns the exit status.
int write_answers(Answers (*answers_of)(double n));

}  // namespace nbody
