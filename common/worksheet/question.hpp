#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "worksheet/given.hpp"
#include "worksheet/line.hpp"
#include "worksheet/slips.hpp"

namespace nbody {

// A number, or NaN while an earlier answer is missing.
using Formula = std::function<double(const Given&)>;
// The truth of a count with n bodies; nothing if it was not counted or is no number for every n.
using Count = std::function<std::optional<double>(const Given&, double n)>;

struct AskedCount {
  std::string text, answer;
  Count truth;
};

// A question is data. It is made by one of the functions below, in the questions.cpp of its part;
// its words for the student stand in worksheet.hpp, where `answer` is declared.
struct Question {
  std::string number, text;
  Kind kind = Kind::recorded;
  std::string answer = {};                         // its name in worksheet.hpp
  double tolerance = 0;                            // relative
  Formula expected = {};                           // exact, follow_through
  std::string waits_for = {};                      // what `expected` follows from, in words
  std::uint32_t seal = 0;                          // choice: of the right letter
  std::function<char(const Given&)> letter = {};   // choice that follows from earlier answers
  std::function<std::string(double)> remark = {};  // recorded
  std::function<NotebookNumbers(const Given&)> in_notebook = {};  // recorded: near one of them?
  std::vector<AskedCount> counts = {};             // told about together; `text` names their sum
  Disclosure most_told = Disclosure::by_how_much;  // of counts
  int notebook_rows = 0;                           // wanted
  Unit unit = Unit::none;                          // whose slips are named
  double points = 1;                               // each line of it

  Question worth(double new_points) const;
  Question in(Unit new_unit) const;
};

using Questions = std::vector<Question>;
Questions in_order(const std::vector<Questions>& sections);

Question text(const std::string& number, const std::string& text, const std::string& answer);

// A number with one right value.
Question number(const std::string& number, const std::string& text, const std::string& answer,
                double truth, double tolerance);

// A number that follows from earlier answers, right or wrong.
Question follows(const std::string& number, const std::string& text, const std::string& answer,
                 double tolerance, const std::string& waits_for, Formula expected);

// A letter. `seal` is what `worksheet --seal ANSWER LETTER` prints for the right one: who opens
// questions.cpp does not read the letters. It is no protection from one who computes all four.
Question choice(const std::string& number, const std::string& text, const std::string& answer,
                std::uint32_t seal);
// no_choice while an earlier answer is missing.
Question choice_that_follows(const std::string& number, const std::string& text,
                             const std::string& answer, const std::string& waits_for,
                             std::function<char(const Given&)> letter);
std::uint32_t seal_of(const std::string& answer, char letter);

// It is enough that it is there; `remark` may say something about it.
Question recorded(const std::string& number, const std::string& text, const std::string& answer,
                  std::function<std::string(double)> remark = nullptr);
// The same, but it is told when the notebook has other numbers.
Question recorded_beside(const std::string& number, const std::string& text,
                         const std::string& answer,
                         std::function<NotebookNumbers(const Given&)> in_notebook);

// Expressions of n. `sum` names the sum of the classes, if it is shown.
Question counts(const std::string& number, double tolerance, std::vector<AskedCount> classes,
                const std::string& sum = "");
// Truths of counts: by running the code, of the naive or of the version that `mine` names; or a
// formula.
Count counted(const std::string& kind, const std::string& function = forces);
Count counted_of_mine(const std::string& kind);
Count formula(std::function<double(double n)> truth);

// Ideas in the notebook, of which there should be as many as wanted.
Question notebook(const std::string& number, int wanted);

// The questions of a part, and when its counts may be shown.
struct PartQuestions {
  std::string part;
  Questions questions;
  // Texts of worksheet.hpp that no question asks for, but {name} in the text of one, or a formula.
  std::vector<std::string> names;
  // One line about the machine that is made of the authors' names.
  std::function<std::string(const std::string& authors)> paper_machine;
  // Questions that ask for counts of the naive, and the functions that they are about.
  std::vector<std::string> asks_for_counts;
  std::vector<std::string> counted_functions = {forces};
};

// Each part has its own; its worksheet program is linked with it.
PartQuestions questions_of_part();

// What the part's worksheet.hpp has to declare.
std::vector<std::string> answer_names(const PartQuestions& part);

}  // namespace nbody
