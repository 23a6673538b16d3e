#pragma once

#include <map>
#include <string>

namespace nbody::worksheet {

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

// The main() of a program that contains only the student's worksheet.hpp: it writes the answers for
// two numbers of bodies to standard output, and judges nothing. One line per answer, with a first
// and a last line that show that all arrived; common/lab/worksheet reads them. The output of the
// student's code, and the text of an exception, go to standard error. Returns the exit status.
int write_answers(Answers (*answers_of)(double n));

}  // namespace nbody::worksheet
