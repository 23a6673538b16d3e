#pragma once

#include <string>

namespace nbody::command_line {

// Says on stderr what a long run is doing, in at most 78 columns: on a terminal one line, rewritten
// in place; elsewhere, such as in a log or with TERM=dumb, a new line at most every ten seconds.
void show_progress(const std::string& text);
// Removes the line from the terminal, before other output.
void clear_progress();

}  // namespace nbody::command_line
