#pragma once

#include <map>
#include <string>
#include <utility>

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

// Answers are expressions of n; they are judged at two numbers of bodies, so that a number which is
// right by chance for one does not pass.
constexpr double judged_sizes[] = {1000, 4099};
using AnswersAtBothSizes = std::pair<Answers, Answers>;

// What the program with the student's worksheet.hpp writes, and the judge reads: a line for each
// answer, with a first and a last line that show that all of them arrived.
std::string format_answers(const AnswersAtBothSizes& answers);

// What comes before the first line is passed over: a student may print. Throws
// std::invalid_argument if there is no whole text.
AnswersAtBothSizes parse_answers(const std::string& text);

}  // namespace nbody
