#include "command_line/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

namespace nbody::command_line {
namespace {

// TERM=dumb: one without a cursor, such as the cell of a notebook.
bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && !(kind && std::string_view(kind) == "dumb");
}

// Whether ten seconds have passed since the last line, or since the first call.
bool is_due() {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last = Clock::now();
  const auto now = Clock::now();
  if (now - last < std::chrono::seconds(10)) return false;
  last = now;
  return true;
}

}  // namespace

void show_progress(const std::string& text) {
  if (on_terminal()) {
    fmt::print(stderr, "\r  {:76.76}\r", text);
  } else if (is_due()) {
    fmt::print(stderr, "  {}\n", text);
  }
}

void clear_progress() {
  if (on_terminal()) fmt::print(stderr, "\r{:78}\r", "");
}

}  // namespace nbody::command_line
