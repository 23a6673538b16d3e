#include "worksheet/question.hpp"

#include <utility>

namespace nbody {
Question Question::worth(double new_points) const {
  Question same = *this;
  same.points = new_points;
  return same;
}

Question Question::in(Unit new_unit) const {
  Question same = *this;
  same.unit = new_unit;
  return same;
}

Questions in_order(const std::vector<Questions>& sections) {
  Questions all;
  for (const Questions& section : sections) all.insert(all.end(), section.begin(), section.end());
  return all;
}

Question text(const std::string& number, const std::string& text, const std::string& answer) {
  return {.number = number, .text = text, .kind = Kind::text, .answer = answer};
}

Question number(const std::string& number, const std::string& text, const std::string& answer,
                double truth, double tolerance) {
  return {.number = number,
          .text = text,
          .kind = Kind::exact,
          .answer = answer,
          .tolerance = tolerance,
          .expected = [truth](const Given&) { return truth; }};
}

Question follows(const std::string& number, const std::string& text, const std::string& answer,
                 double tolerance, const std::string& waits_for, Formula expected) {
  return {.number = number,
          .text = text,
          .kind = Kind::follow_through,
          .answer = answer,
          .tolerance = tolerance,
          .expected = std::move(expected),
          .waits_for = waits_for};
}

Question choice(const std::string& number, const std::string& text, const std::string& answer,
                std::uint32_t seal) {
  return {.number = number, .text = text, .kind = Kind::choice, .answer = answer, .seal = seal};
}

Question choice_that_follows(const std::string& number, const std::string& text,
                             const std::string& answer, const std::string& waits_for,
                             std::function<char(const Given&)> letter) {
  return {.number = number,
          .text = text,
          .kind = Kind::choice,
          .answer = answer,
          .waits_for = waits_for,
          .letter = std::move(letter)};
}

// FNV-1a, with the letter first, so that it changes every bit. The name makes the seals of two
// questions with the same letter differ.
std::uint32_t seal_of(const std::string& answer, char letter) {
  std::uint32_t hash = 2166136261u;
  for (const char c : letter + (" is the answer to " + answer)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return hash;
}

Question recorded(const std::string& number, const std::string& text, const std::string& answer,
                  std::function<std::string(double)> remark) {
  return {.number = number, .text = text, .answer = answer, .remark = std::move(remark)};
}

Question recorded_beside(const std::string& number, const std::string& text,
                         const std::string& answer,
                         std::function<NotebookNumbers(const Given&)> in_notebook) {
  return {.number = number, .text = text, .answer = answer, .in_notebook = std::move(in_notebook)};
}

Question counts(const std::string& number, double tolerance, std::vector<AskedCount> classes,
                const std::string& sum) {
  return {.number = number,
          .text = sum,
          .kind = Kind::exact,
          .tolerance = tolerance,
          .counts = std::move(classes)};
}

Count counted(const std::string& kind, const std::string& function) {
  return [=](const Given& given, double n) { return given.counted("naive", kind, n, function); };
}

Count counted_of_mine(const std::string& kind) {
  return [=](const Given& given, double n) { return given.counted(given.text("mine"), kind, n); };
}

Count formula(std::function<double(double n)> truth) {
  return [=](const Given&, double n) { return truth(n); };
}

Question notebook(const std::string& number, int wanted) {
  return {.number = number, .text = "rows of the notebook", .notebook_rows = wanted};
}

std::vector<std::string> answer_names(const PartQuestions& part) {
  std::vector<std::string> names = part.names;
  for (const Question& one : part.questions) {
    if (!one.answer.empty()) names.push_back(one.answer);
    for (const AskedCount& count : one.counts) names.push_back(count.answer);
  }
  return names;
}

}  // namespace nbody
