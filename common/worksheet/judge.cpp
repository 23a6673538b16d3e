#include "worksheet/judge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "worksheet/answers.hpp"

namespace nbody {
namespace {

// Farther off, no difference is told: it would be an oracle for an answer of 0.
constexpr double close_enough_to_tell = 0.3;

bool is_answered(const AtBothSizes& answer) {
  return nbody::is_answered(answer.first) && nbody::is_answered(answer.second);
}

// Rounding only.
constexpr double same_expression = 1e-7;

// A truth of 0 wants a 0.
bool matches(double answer, double truth, double tolerance) {
  return std::abs(answer - truth) <= tolerance * std::abs(truth) + 1e-9;
}

bool matches(const CountedClass& one, double tolerance) {
  return matches(one.answer.first, one.truth->first, tolerance) &&
         matches(one.answer.second, one.truth->second, tolerance);
}

std::string direction(const CountedClass& one, double tolerance) {
  if (matches(one.answer.first, one.truth->first, tolerance)) {
    return fmt::format("right for n = {:.0f} only: write an expression of n", judged_sizes[0]);
  }
  return one.answer.first > one.truth->first ? "too many" : "too few";
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

CountedClass sum_of(const std::vector<CountedClass>& classes, const std::string& name) {
  CountedClass sum = {name, {0, 0}, AtBothSizes{0, 0}};
  for (const CountedClass& one : classes) {
    sum.answer.first += one.answer.first;
    sum.answer.second += one.answer.second;
    sum.truth->first += one.truth->first;
    sum.truth->second += one.truth->second;
  }
  return sum;
}

Line line_of(const std::string& number, const std::string& question, Kind kind, double answer) {
  Line line = {number, question, kind, "", State::unanswered, ""};
  if (nbody::is_answered(answer)) line.answer = fmt::format("{:.4g}", answer);
  return line;
}

Line count_line(const std::string& number, const CountedClass& one) {
  Line line = {number, one.question, Kind::exact, "", State::unanswered, "", true};
  if (is_answered(one.answer)) line.answer = expression_text(one.answer);
  return line;
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
  // What is no number for every n is not asked; the others are judged without it.
  std::vector<CountedClass> known;
  Lines unknown;
  for (const CountedClass& one : classes) {
    if (one.truth) {
      known.push_back(one);
      continue;
    }
    unknown.push_back(count_line(number, one));
    unknown.back().state = State::noted;
    unknown.back().words = "it depends on where the bodies are: not asked";
  }
  if (!known.empty() && !unknown.empty()) {
    Lines lines = judge_counts(number, known, "", tolerance, disclosure);
    lines.insert(lines.end(), unknown.begin(), unknown.end());
    return lines;
  }
  Lines lines;
  bool all_answered = true, all_right = true;
  for (const CountedClass& one : classes) {
    lines.push_back(count_line(number, one));
    all_answered = all_answered && is_answered(one.answer);
  }
  if (!all_answered || known.empty()) {
    for (Line& line : lines) {
      if (line.answer.empty()) continue;
      line.state = State::waiting;
      line.words = all_answered ? "not counted; ./lab count says why" : "answer the others first";
    }
    return lines;
  }
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const bool right = matches(classes[k], tolerance);
    all_right = all_right && right;
    lines[k].state = right ? State::right : State::wrong;
    if (right && !matches(classes[k], same_expression)) lines[k].words = "but for the terms in n";
    if (!right) {
      lines[k].words = disclosure == Disclosure::by_how_much ? distance(classes[k], tolerance)
                                                             : direction(classes[k], tolerance);
    }
  }
  if (classes.size() == 1 || sum.empty()) return lines;  // its own sum, or none
  const CountedClass total = sum_of(classes, sum);
  lines.push_back(count_line(number, total));
  lines.back().is_sum = true;
  const bool total_right = matches(total, tolerance);
  lines.back().state = all_right ? State::right : State::wrong;
  if (!total_right) lines.back().words = direction(total, tolerance);
  if (total_right && !all_right) lines.back().words = "the sum is right, its parts are not";
  if (all_right && !matches(total, same_expression)) lines.back().words = "but for the terms in n";
  if (!all_right && disclosure == Disclosure::total) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      lines[k].state = State::hidden;
      lines[k].words = "";
    }
  }
  return lines;
}

Line judge_exact(const std::string& number, const std::string& question, double answer,
                 double truth, double tolerance) {
  Line line = line_of(number, question, Kind::exact, answer);
  if (!is_answered(answer)) return line;
  line.state = matches(answer, truth, tolerance) ? State::right : State::wrong;
  return line;
}

Line judge_follow_through(const std::string& number, const std::string& question, double answer,
                          double expected, double tolerance, const std::string& waits_for) {
  Line line = line_of(number, question, Kind::follow_through, answer);
  if (!nbody::is_answered(answer)) return line;
  if (!std::isfinite(expected)) {
    line.state = State::waiting;
    line.words = "judged once there is " + waits_for;
    return line;
  }
  line.state = matches(answer, expected, tolerance) ? State::right : State::wrong;
  if (line.state == State::wrong) line.words = "does not follow from " + waits_for;
  return line;
}

Line judge_choice(const std::string& number, const std::string& question, char answer,
                  std::uint32_t key) {
  Line line = {number, question, Kind::choice, "", State::unanswered, ""};
  if (answer == no_choice) return line;
  line.answer = std::string(1, answer);
  line.state = choice_key(number, answer) == key ? State::right : State::wrong;
  if (answer < 'a' || answer > 'd') line.words = "the choices are a, b, c and d";
  return line;
}

std::uint32_t choice_key(const std::string& number, char letter) {
  std::uint32_t hash = 2166136261u;
  for (const char c : "question " + number + letter) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return hash;
}

Line record(const std::string& number, const std::string& question, double answer,
            const std::string& words) {
  Line line = line_of(number, question, Kind::recorded, answer);
  if (!nbody::is_answered(answer)) return line;
  line.state = State::noted;
  line.words = words;
  return line;
}

Line record_notebook(const std::string& number, int rows, int wanted) {
  const bool enough = rows >= wanted;
  return {number,
          "rows of the notebook",
          Kind::recorded,
          std::to_string(rows),
          enough ? State::noted : State::unanswered,
          enough ? "" : fmt::format("{} wanted: ./lab try", wanted)};
}

}  // namespace nbody
