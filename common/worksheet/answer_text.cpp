#include "worksheet/answer_text.hpp"

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace nbody {
namespace {

const std::string first_line = "the answers of a worksheet:\n";
const std::string last_line = "all of them\n";

// 17 digits: read back bit for bit.
std::string shown(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", number);
  return digits;
}

// A line is a line.
std::string in_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string lines_of(const Answers& answers, int size) {
  std::ostringstream out;
  for (const auto& [name, answer] : answers.numbers) {
    out << size << " number " << name << ' ' << shown(answer) << '\n';
  }
  for (const auto& [name, answer] : answers.letters) {
    out << size << " letter " << name << ' ' << static_cast<int>(answer) << '\n';
  }
  for (const auto& [name, answer] : answers.texts) {
    out << size << " text " << name << ' ' << in_one_line(answer) << '\n';
  }
  return out.str();
}

[[noreturn]] void fail() { throw std::invalid_argument("no answers of a worksheet"); }

void parse_line(const std::string& line, AnswersAtBothSizes& answers) {
  std::istringstream in(line);
  int size = 0;
  std::string kind, name, value;
  in >> size >> kind >> name;
  in.get();
  std::getline(in, value);
  if (name.empty() || (size != 0 && size != 1)) fail();
  Answers& at = size == 0 ? answers.first : answers.second;
  if (kind == "text") {
    at.add(name, value);
  } else if (kind == "letter") {
    at.add(name, static_cast<char>(std::stoi(value)));
  } else if (kind == "number") {
    at.add(name, std::stod(value));
  } else {
    fail();
  }
}

}  // namespace

std::string format_answers(const AnswersAtBothSizes& answers) {
  return first_line + lines_of(answers.first, 0) + lines_of(answers.second, 1) + last_line;
}

AnswersAtBothSizes parse_answers(const std::string& text) {
  const std::size_t begin = text.rfind(first_line);
  const std::size_t end = text.rfind(last_line);
  if (begin == std::string::npos || end == std::string::npos || end < begin) fail();
  AnswersAtBothSizes answers;
  std::istringstream in(text.substr(begin + first_line.size(), end - begin - first_line.size()));
  for (std::string line; std::getline(in, line);) parse_line(line, answers);
  return answers;
}

}  // namespace nbody
