#pragma once

#include <string>

#include "worksheet/line.hpp"

namespace nbody {

// The paper machine, the lines as a table, and how far one is. Of choices only the number of right
// ones is told: which ones is for the hand-in.
std::string worksheet_text(const std::string& part, const std::string& authors, const Lines& lines,
                           Disclosure disclosure);
std::string worksheet_json(const std::string& part, const std::string& authors, const Lines& lines);

bool any_wrong(const Lines& lines);

}  // namespace nbody
