#pragma once

#include <string>

#include "worksheet/sheet.hpp"

namespace nbody {

// The paper machine, the lines as a table, and how far one is. Of choices only the number of right
// ones is told: which ones is for the hand-in.
std::string worksheet_text(const Sheet& sheet, Disclosure disclosure);
std::string worksheet_json(const Sheet& sheet);

// One question's lines alone: nothing about choices, for of one it would tell whether it is right.
// Throws InputError where there is no such question.
Lines lines_of_question(const Sheet& sheet, const std::string& number);
std::string question_text(const Lines& lines, Disclosure disclosure);

bool any_wrong(const Lines& lines);

}  // namespace nbody
