#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "worksheet/sheet.hpp"

namespace nbody {

inline void add(Answers& a, const std::map<std::string, double>& numbers) {
  for (const auto& [name, number] : numbers) a.add(name, number);
}

// As many ideas of which nothing is known but that they were predicted and measured.
inline NotebookRows ideas(std::size_t count) {
  NotebookRow idea;
  idea.expected = idea.measured = 1.1;
  return NotebookRows(count, idea);
}

using Change = std::function<void(Answers&)>;

// One change, and the numbers of the questions that it makes wrong.
struct Slip {
  std::string what;
  Change make;
  std::vector<std::string> wrong;
};

inline Change times(const std::string& name, double factor) {
  return [=](Answers& a) { a.numbers.at(name) *= factor; };
}
inline Change to(const std::string& name, double answer) {
  return [=](Answers& a) { a.numbers.at(name) = answer; };
}
inline Change to_another_letter(const std::string& name) {
  return [=](Answers& a) { a.letters.at(name) = a.letters.at(name) == 'a' ? 'b' : 'a'; };
}

inline Change all(const std::vector<Change>& changes) {
  return [changes](Answers& a) {
    for (const Change& change : changes) change(a);
  };
}

// The questions of a part, with right answers to them.
struct PartUnderTest {
  PartQuestions part = questions_of_part();
  CountsOf counts_of;
  NotebookRows notebook;
  std::function<void(Answers&, double n)> answer;  // all but the letters

  Given given(const Change& change = [](Answers&) {}) const {
    Given given = {
        {right_answers(judged_sizes[0]), right_answers(judged_sizes[1])}, counts_of, notebook};
    change(given.answers.first);
    change(given.answers.second);
    return given;
  }

  Lines judged(const Change& change = [](Answers&) {}) const {
    return judged_sheet(part, given(change)).lines;
  }

  std::string words_about(const std::string& question) const {
    for (const Line& line : judged()) {
      if (line.question == question) return line.words;
    }
    return "there is no such question";
  }

  std::string hidden(
      const std::string& name, const Change& change = [](Answers&) {}) const {
    return reason_to_hide_counts(name, part, given(change));
  }

  Answers empty_answers() const {
    Answers answers;
    for (const std::string& name : part.names) answers.add(name, std::string());
    for (const Question& question : part.questions) {
      const std::string& name = question.answer;
      if (question.kind == Kind::text) answers.add(name, std::string());
      if (question.kind == Kind::choice) answers.add(name, no_choice);
      const bool is_number = question.kind != Kind::text && question.kind != Kind::choice;
      if (is_number && !name.empty()) answers.add(name, unanswered);
      for (const AskedCount& count : question.counts) answers.add(count.answer, unanswered);
    }
    return answers;
  }

  // The letters stand in no file: a student may read a test, too.
  Answers right_answers(double n) const {
    Answers answers = empty_answers();
    for (const Question& question : part.questions) {
      for (const char letter : {'a', 'b', 'c', 'd'}) {
        if (seal_of(question.answer, letter) == question.seal) {
          answers.add(question.answer, letter);
        }
      }
    }
    answer(answers, n);
    return answers;
  }

  void expect_all_right() const {
    for (const Line& line : judged()) {
      EXPECT_TRUE(line.state == State::right || line.state == State::noted)
          << line.number << " " << line.question << ": " << line.answer << " " << line.words;
    }
  }

  void expect_nothing_judged_on_an_empty_sheet() const {
    for (const Line& line : judged([&](Answers& a) { a = empty_answers(); })) {
      if (line.question == "rows of the notebook") continue;
      EXPECT_EQ(line.state, State::unanswered) << line.number << " " << line.question;
    }
  }

  void expect_slips(const std::vector<Slip>& slips) const {
    for (const Slip& slip : slips) {
      std::vector<std::string> wrong;
      for (const Line& line : judged(slip.make)) {
        if (line.state == State::wrong && (wrong.empty() || wrong.back() != line.number)) {
          wrong.push_back(line.number);
        }
      }
      EXPECT_EQ(wrong, slip.wrong) << slip.what;
    }
  }

  // Every letter but one is wrong, in all of them; no two seals are the same.
  void expect_one_right_letter_each() const {
    std::vector<std::uint32_t> seals;
    for (const Question& question : part.questions) {
      if (question.kind != Kind::choice || question.letter) continue;
      seals.push_back(question.seal);
      int right = 0;
      for (const char letter : {'a', 'b', 'c', 'd'}) {
        const Lines lines = judged([&](Answers& a) { a.letters[question.answer] = letter; });
        right += std::none_of(lines.begin(), lines.end(),
                              [](const Line& line) { return line.state == State::wrong; });
      }
      EXPECT_EQ(right, 1) << question.answer;
    }
    std::sort(seals.begin(), seals.end());
    EXPECT_EQ(std::adjacent_find(seals.begin(), seals.end()), seals.end());
  }
};

}  // namespace nbody
