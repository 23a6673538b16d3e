#pragma once

#include <map>
#include <string>

namespace nbody {

// The answers of a worksheet for one number of bodies, by the names that they have in
// worksheet.hpp.
struct Answers {
  std::map<std::string, double> numbers;
  std::map<std::string, char> letters;
  std::map<std::string, std::string> texts;

  void add(const std::string& name, double answer) { numbers[name] = answer; }
  void add(const std::string& name, char answer) { letters[name] = answer; }
  void add(const std::string& name, const std::string& answer) { texts[name] = answer; }
};

// The main() of the program that has the student's worksheet.hpp in it and nothing else: it writes
// the answers to standard output, for two numbers of bodies, and judges nothing. A line for each
// answer, with a first and a last line that show that all of them arrived; common/lab/worksheet
// reads them. What the student's code prints, and the words of an exception, go to standard error.
// Returns the exit status.
int write_answers(Answers (*answers_of)(double n));

}  // namespace nbody
