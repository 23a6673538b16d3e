#pragma once

#include <string>

#include "worksheet/line.hpp"

namespace nbody {

const char* name_of(Kind kind);
const char* name_of(State state);
inline bool is_choice(const Line& line) { return line.kind == Kind::choice; }

// The lines as a table of 100 columns: a long verdict goes on below, a column in which nothing
// stands is left out.
std::string table_text(const Lines& lines);

}  // namespace nbody
