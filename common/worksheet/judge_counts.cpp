#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "worksheet/judge.hpp"

namespace nbody {
namespace {

// Farther off, no difference is told: it would be an oracle for an answer of 0.
constexpr double close_enough_to_tell = 0.3;
// Rounding only.
constexpr double same_expression = 1e-7;

bool is_answered(const AtBothSizes& answer) {
  return nbody::is_answered(answer.first) && nbody::is_answered(answer.second);
}

bool both_match(const CountedClass& one, double tolerance) {
  return matches(one.answer.first, one.truth->first, tolerance) &&
         matches(one.answer.second, one.truth->second, tolerance);
}

std::string direction(const CountedClass& one, double tolerance) {
  if (matches(one.answer.first, one.truth->first, tolerance)) {
    return fmt::format("right for n = {:.0f} only: write an expression of n", judged_sizes[0]);
  }
  return one.answer.first > one.truth->first ? "too many" : "too few";
}

std::string slip_in(const CountedClass& one, double tolerance) {
  return slip_in(one.unit, one.answer, *one.truth, tolerance);
}

std::string distance(const CountedClass& one, double tolerance) {
  const double n = judged_sizes[0];
  const double off = std::abs(one.answer.first - one.truth->first);
  const std::string words = direction(one, tolerance);
  if (off > close_enough_to_tell * std::max(one.truth->first, one.answer.first)) {
    return words + ", far off: count again before you ask by how much";
  }
  return fmt::format("{}: by {:.2f} an interaction, {:.0f} in all with n = {:.0f}", words,
                     off / (n * n), off, n);
}

Line line_of(const std::string& number, const CountedClass& one) {
  Line line = {number, one.question, Kind::exact, "", State::unanswered, "", true};
  if (is_answered(one.answer)) line.answer = expression_text(one.answer);
  return line;
}

Line judged_line(const std::string& number, const CountedClass& one, double tolerance,
                 Disclosure disclosure) {
  Line line = line_of(number, one);
  const bool right = both_match(one, tolerance);
  line.state = right ? State::right : State::wrong;
  if (right && !both_match(one, same_expression)) line.words = "terms in n aside";
  if (right) return line;
  line.words = slip_in(one, tolerance);
  if (!line.words.empty()) return line;
  line.words =
      disclosure == Disclosure::by_how_much ? distance(one, tolerance) : direction(one, tolerance);
  return line;
}

// Of all classes, or none.
Unit unit_of_sum(const std::vector<CountedClass>& classes, double tolerance) {
  const std::string slip = slip_in(classes.front(), tolerance);
  const bool same = std::all_of(classes.begin(), classes.end(), [&](const CountedClass& one) {
    return slip_in(one, tolerance) == slip;
  });
  return same && !slip.empty() ? classes.front().unit : Unit::none;
}

CountedClass sum_of(const std::vector<CountedClass>& classes, const std::string& name,
                    double tolerance) {
  CountedClass sum = {name, {0, 0}, AtBothSizes{0, 0}, unit_of_sum(classes, tolerance)};
  for (const CountedClass& one : classes) {
    sum.answer.first += one.answer.first;
    sum.answer.second += one.answer.second;
    sum.truth->first += one.truth->first;
    sum.truth->second += one.truth->second;
  }
  return sum;
}

// Wrong while one of its parts is.
Line line_of_sum(const std::string& number, const CountedClass& sum, double tolerance,
                 bool all_right) {
  Line line = judged_line(number, sum, tolerance, Disclosure::which);
  line.is_sum = true;
  line.points = 0;
  if (!all_right && line.state == State::right) {
    line.state = State::wrong;
    line.words = "the sum is right, its parts are not";
  }
  return line;
}

bool is_right(const Line& line) { return line.state == State::right; }

// Nothing is told before all of them are answered, and counted.
Lines waiting_lines(const std::string& number, const std::vector<CountedClass>& classes,
                    const std::string& words) {
  Lines lines;
  for (const CountedClass& one : classes) {
    lines.push_back(line_of(number, one));
    if (lines.back().answer.empty()) continue;
    lines.back().state = State::waiting;
    lines.back().words = words;
  }
  return lines;
}

// All have a truth.
Lines judge_known(const std::string& number, const std::vector<CountedClass>& classes,
                  const std::string& sum, double tolerance, Disclosure disclosure) {
  Lines lines;
  for (const CountedClass& one : classes) {
    if (!is_answered(one.answer)) return waiting_lines(number, classes, "answer the others first");
    lines.push_back(judged_line(number, one, tolerance, disclosure));
  }
  if (classes.size() == 1 || sum.empty()) return lines;  // its own sum, or none
  const bool all_right = std::all_of(lines.begin(), lines.end(), is_right);
  if (!all_right && disclosure == Disclosure::total) {
    for (Line& line : lines) {
      line.state = State::hidden;
      line.words = "";
    }
  }
  lines.push_back(line_of_sum(number, sum_of(classes, sum, tolerance), tolerance, all_right));
  return lines;
}

}  // namespace

std::string expression_text(const AtBothSizes& answer) {
  const double n = judged_sizes[0], m = judged_sizes[1];
  // a n^2 + b n through both.
  const double a = (answer.second / m - answer.first / n) / (m - n);
  const double b = answer.first / n - a * n;
  const double whole_a = std::round(a * 4) / 4, whole_b = std::round(b * 4) / 4;
  if (std::abs(a - whole_a) > 1e-6 || std::abs(b - whole_b) > 1e-3) {
    return fmt::format("{:.6g} with n = {:.0f}", answer.first, n);
  }
  const auto term = [](double factor, const char* power) {
    return factor == 1 ? std::string(power) : fmt::format("{:g} {}", factor, power);
  };
  if (whole_a == 0 && whole_b == 0) return "0";
  if (whole_a == 0) return term(whole_b, "n");
  if (whole_b == 0) return term(whole_a, "n^2");
  return term(whole_a, "n^2") + (whole_b < 0 ? " - " : " + ") + term(std::abs(whole_b), "n");
}

Lines judge_counts(const std::string& number, const std::vector<CountedClass>& classes,
                   const std::string& sum, double tolerance, Disclosure disclosure) {
  std::vector<CountedClass> known, unknown;
  for (const CountedClass& one : classes) (one.truth ? known : unknown).push_back(one);
  if (known.empty()) {
    const bool all_answered = std::all_of(classes.begin(), classes.end(),
                                          [](const auto& one) { return is_answered(one.answer); });
    return waiting_lines(
        number, classes,
        all_answered ? "not counted; ./lab count says why" : "answer the others first");
  }
  // What is no number for every n is not asked; the others are judged without it.
  Lines lines = judge_known(number, known, unknown.empty() ? sum : "", tolerance, disclosure);
  for (const CountedClass& one : unknown) {
    lines.push_back(line_of(number, one));
    lines.back().state = State::noted;
    lines.back().words = "not asked: it depends on where the bodies are";
  }
  return lines;
}

}  // namespace nbody
