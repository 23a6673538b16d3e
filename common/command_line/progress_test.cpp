#include "command_line/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace nbody::command_line {
namespace {

// What `action` writes to stderr if that is `end`, read from `from`; both are closed.
std::string shown_by(int from, int end, void (*action)()) {
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(end, STDERR_FILENO);
  action();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(end);  // after this, reading ends once all has arrived
  std::string shown;
  char piece[100];
  for (ssize_t size; (size = read(from, piece, sizeof piece)) > 0;) {
    shown.append(piece, static_cast<std::size_t>(size));
  }
  for (const int descriptor : {before, from}) close(descriptor);
  return shown;
}

std::string shown_on_terminal(const char* kind) {
  setenv("TERM", kind, 1);
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(terminal, 0);
  EXPECT_EQ(grantpt(terminal), 0);
  EXPECT_EQ(unlockpt(terminal), 0);
  return shown_by(terminal, open(ptsname(terminal), O_RDWR | O_NOCTTY), [] {
    show_progress("round 1 of 7" + std::string(100, '.'));
    clear_progress();
  });
}

TEST(Progress, IsOneLineOnATerminal) {
  EXPECT_EQ(shown_on_terminal("xterm"),
            "\r  round 1 of 7" + std::string(64, '.') + "\r\r" + std::string(78, ' ') + "\r");
}

TEST(Progress, IsALogOnATerminalWithoutCursor) { EXPECT_EQ(shown_on_terminal("dumb"), ""); }

TEST(Progress, IsSilentInALogForTenSeconds) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(shown_by(ends[0], ends[1],
                     [] {
                       show_progress("round 1 of 7");
                       clear_progress();
                     }),
            "");
}

TEST(Progress, SaysFirstHowLongItStillTakes) {
  EXPECT_EQ(with_time_left(12.4, "round 1"), "about 12 s left: round 1");
  EXPECT_EQ(with_time_left(150, "round 1"), "about 2 min left: round 1");
}

}  // namespace
}  // namespace nbody::command_line
