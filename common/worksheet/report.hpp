#pragma once

#include <string>

#include "worksheet/sheet.hpp"

namespace nbody {

// The paper machine, the lines as a table, and how far one is. Of choices only the number of right
// ones is told: which ones is for the hand-in.
std::string worksheet_text(const Sheet& sheet, Disclosure disclosure);
std::string worksheet_json(const Sheet& sheet);

bool any_wrong(const Lines& lines);

}  // namespace nbody
