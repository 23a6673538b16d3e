#include "worksheet/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nbody {
namespace {

Line line_of(const Question& question, const std::string& answer) {
  return {question.number, question.text, question.kind, answer, State::unanswered, ""};
}

Line line_of(const Question& question, double answer) {
  return line_of(question, is_answered(answer) ? fmt::format("{:.4g}", answer) : "");
}

Line judge_text(const Question& question, const std::string& answer) {
  Line line = line_of(question, answer);
  if (!answer.empty()) line.state = State::noted;
  if (answer.empty()) line.words = "needed for the paper machine";
  return line;
}

Line record(const Question& question, const Given& given) {
  const double answer = given[question.answer];
  Line line = line_of(question, answer);
  if (!is_answered(answer)) return line;
  line.state = State::noted;
  if (question.remark) line.words = question.remark(answer);
  if (question.in_notebook) line.words = disagreement(answer, question.in_notebook(given));
  return line;
}

Line record_notebook(const Question& question, int rows) {
  Line line = line_of(question, std::to_string(rows));
  const bool enough = rows >= question.notebook_rows;
  if (enough) line.state = State::noted;
  if (!enough) line.words = fmt::format("{} wanted: ./lab try", question.notebook_rows);
  return line;
}

Line judge_choice_that_follows(const Question& question, char answer, const Given& given) {
  Line line = line_of(question, answer == no_choice ? "" : std::string(1, answer));
  if (answer == no_choice) return line;
  const char right = question.letter(given);
  if (right == no_choice) {
    line.state = State::waiting;
    line.words = "judged once there is " + question.waits_for;
  } else {
    line.state = answer == right ? State::right : State::wrong;
  }
  return line;
}

Lines judge_counts_of(const Question& question, const Given& given, Disclosure disclosure) {
  std::vector<CountedClass> classes;
  for (const AskedCount& one : question.counts) {
    const auto first = one.truth(given, judged_sizes[0]),
               second = one.truth(given, judged_sizes[1]);
    CountedClass judged = {one.text, given.at_both_sizes(one.answer), std::nullopt, question.unit};
    if (first && second) judged.truth = AtBothSizes{*first, *second};
    classes.push_back(judged);
  }
  return judge_counts(question.number, classes, question.text, question.tolerance,
                      std::min(disclosure, question.most_told));
}

bool is_a_choice(char letter) { return letter == no_choice || (letter >= 'a' && letter <= 'd'); }

// As good as no answer: it counts nowhere as one.
Line no_such_choice(const Question& question, char letter) {
  Line line = line_of(question, std::string(1, letter));
  line.words = "the choices are a, b, c and d, in small letters";
  return line;
}

Line judge_line(const Question& question, const Given& given) {
  if (question.notebook_rows > 0) return record_notebook(question, measured_ideas(given.notebook));
  const std::string& name = question.answer;
  switch (question.kind) {
    case Kind::text:
      return judge_text(question, given.text(name));
    case Kind::choice:
      if (!is_a_choice(given.letter(name))) return no_such_choice(question, given.letter(name));
      if (question.letter) return judge_choice_that_follows(question, given.letter(name), given);
      return judge_choice(question, given.letter(name));
    case Kind::recorded:
      return record(question, given);
    default:
      return judge_number(question, given[name], question.expected(given));
  }
}

// "flops of {mine}": what the student called it.
std::string with_names(std::string text, const Given& given) {
  const std::size_t begin = text.find('{'), end = text.find('}', begin);
  if (end == std::string::npos) return text;
  const std::string name = text.substr(begin + 1, end - begin - 1);
  return text.replace(begin, end - begin + 1, given.text(name));
}

}  // namespace

bool matches(double answer, double truth, double tolerance) {
  return std::abs(answer - truth) <= tolerance * std::abs(truth) + 1e-9;
}

Line judge_number(const Question& question, double answer, double expected) {
  Line line = line_of(question, answer);
  if (!is_answered(answer)) return line;
  if (!question.waits_for.empty() && !std::isfinite(expected)) {
    line.state = State::waiting;
    line.words = "judged once there is " + question.waits_for;
    return line;
  }
  const bool right = matches(answer, expected, question.tolerance);
  line.state = right ? State::right : State::wrong;
  if (right) return line;
  line.words = slip_in(question.unit, {answer, answer}, {expected, expected}, question.tolerance);
  if (line.words.empty() && !question.waits_for.empty()) {
    line.words = "does not follow from " + question.waits_for;
  }
  return line;
}

Line judge_choice(const Question& question, char answer) {
  Line line = line_of(question, answer == no_choice ? "" : std::string(1, answer));
  if (answer == no_choice) return line;
  line.state = seal_of(question.answer, answer) == question.seal ? State::right : State::wrong;
  return line;
}

Lines judge(const Question& question, const Given& given, Disclosure disclosure) {
  Lines lines = question.counts.empty() ? Lines{judge_line(question, given)}
                                        : judge_counts_of(question, given, disclosure);
  for (Line& line : lines) {
    line.question = with_names(line.question, given);
    if (!line.is_sum) line.points = question.points;
  }
  return lines;
}

}  // namespace nbody
