#include "command_line/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

namespace nbody::command_line {
namespace {

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

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
    fmt::print(stderr, "  {:.76}\n", text);
  }
}

void clear_progress() {
  if (on_terminal()) fmt::print(stderr, "\r{:78}\r", "");
}

}  // namespace nbody::command_line
