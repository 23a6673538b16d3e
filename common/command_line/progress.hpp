#pragma once

#include <fmt/format.h>

#include <string>

namespace nbody::command_line {

// Says on stderr what a long run is doing, in at most 78 columns: on a terminal one line, rewritten
// in place; elsewhere, such as in a log or with TERM=dumb, a new line at most every ten seconds.
void show_progress(const std::string& text);
// The text of such a line when it is known how long the run will still take. The time comes first:
// a terminal cuts off what is too long for it, and ./lab reads it.
inline std::string with_time_left(double seconds, const std::string& text) {
  const bool short_time = seconds < 100;
  return fmt::format("about {:.0f} {} left: {}", short_time ? seconds : seconds / 60,
                     short_time ? "s" : "min", text);
}
// Removes the line from the terminal, before other output.
void clear_progress();

}  // namespace nbody::command_line
