#pragma once

#include <string>
#include <vector>

namespace nbody {

// How an answer is judged. Exact: against the truth. Follow-through: against what follows from the
// student's own earlier answers, so that one slip costs once. Choice: a letter. Recorded: it is
// enough that it is there.
enum class Kind { text, exact, follow_through, choice, recorded };

enum class State {
  unanswered,
  waiting,  // for an earlier answer, or for something to be counted
  right,
  wrong,
  noted,   // recorded
  hidden,  // part of a group that tells less than it knows
};

// One line of the judged worksheet.
struct Line {
  std::string number;
  std::string question;
  Kind kind = Kind::recorded;
  std::string answer;
  State state = State::unanswered;
  std::string words;  // what else there is to say
  bool is_count = false;
  bool is_sum = false;  // of the lines above, not an answer of its own
  double points = 1;
};

// How much of a wrong count is told: too many or too few; which class; by how much.
enum class Disclosure { total, which, by_how_much };

using Lines = std::vector<Line>;

}  // namespace nbody
