#include "protocol/process_tree.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "protocol/child_process.hpp"
#include "protocol/test_sessions.hpp"

namespace nbody::protocol {
namespace {

// As if another process had got the number of one that was found and has ended.
TEST(ProcessTree, NeverSignalsAnotherProcessOfThatNumber) {
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  Process found;
  ASSERT_TRUE(read_process(child, found));
  EXPECT_EQ(found.parent, ::getpid());
  Process ended = found;
  --ended.start;
  signal_process(ended, SIGKILL);
  int status = 0;
  ::usleep(1000);
  EXPECT_EQ(::waitpid(child, &status, WNOHANG), 0);
  signal_process(found, SIGTERM);
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_EQ(cpu_seconds_of_tree(child), 0);  // nothing of one that has ended
  EXPECT_EQ(memory_of_tree(child), 0u);
}

// Shells that do nothing, and below them one that works in a session of its own: as in a sandbox.
TEST(ChildProcess, AsksAndStopsAllBelow) {
  ChildProcess shell(
      {"/bin/sh", "-c", "sh -c 'setsid sh -c \"while :; do :; done\" & wait' & wait"});
  EXPECT_TRUE(comes_true([&] { return shell.cpu_seconds() > 0.2; }));
  ChildProcess alone({"/bin/sh", "-c", "read line"});
  EXPECT_GT(shell.memory(), alone.memory());
  shell.pause();
  ::usleep(20000);
  const double before = shell.cpu_seconds();
  ::usleep(200000);
  EXPECT_EQ(shell.cpu_seconds(), before);
  EXPECT_NEAR(shell.thread_times().ran, before, 0.05);  // none of its threads has ended
  shell.resume();
  EXPECT_TRUE(comes_true([&] { return shell.cpu_seconds() > before; }));
}

// Whoever uses this library may have other children, even in sessions of their own.
TEST(ChildProcess, SparesOtherChildrenOfThisProcess) {
  const pid_t other = ::fork();
  if (other == 0) {
    ::setsid();
    while (true) ::pause();
  }
  ASSERT_TRUE(comes_true([&] { return ::getsid(other) == other; }));
  if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) {
    ::kill(other, SIGKILL);
    GTEST_SKIP() << "this process was started without privileges, as all its children are";
  }
  ChildProcess shell({"/bin/sh", "-c", "read line"});
  shell.pause();
  shell.resume();
  shell.stop(Clock::now() + std::chrono::seconds(20));
  int status = 0;
  EXPECT_EQ(::waitpid(other, &status, WNOHANG | WUNTRACED), 0) << "signal " << WTERMSIG(status);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

// Its shell has ended; the one that sleeps has a new parent, this process, and a session of its
// own.
TEST(ChildProcess, FindsWhatItLeftBehind) {
  ChildProcess shell({"/bin/sh", "-c", "setsid sleep 1000 & exec true"});
  ASSERT_TRUE(comes_true([&] { return shell.has_ended(); }));
  const auto children = [] { return descendants_of(::getpid()); };
  ASSERT_TRUE(comes_true([&] { return children().size() == 2; }));
  shell.stop(Clock::now() + std::chrono::seconds(20));
  EXPECT_TRUE(children().empty());
}

// The lab ignores broken pipes; what it starts does not inherit that.
TEST(ChildProcess, StartsWithDefaultSignals) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  ChildProcess shell({"/bin/sh", "-c", "kill -PIPE $$"});
  EXPECT_EQ(shell.stop(Clock::now() + std::chrono::seconds(20)),
            "killed by signal 13 (Broken pipe)");
  std::signal(SIGPIPE, before);
}

// A program that is asked must not hold what another one left open.
TEST(ChildProcess, InheritsThreeDescriptors) {
  const int left_open = ::fcntl(STDERR_FILENO, F_DUPFD, 50);
  ASSERT_GE(left_open, 50);
  ChildProcess child(
      {"/bin/sh", "-c", "for n in /proc/$$/fd/5?; do [ -e $n ] && echo $n >&2; done"});
  child.stop(Clock::now() + std::chrono::seconds(20));
  ::close(left_open);
  EXPECT_EQ(child.diagnostics(), "");
}

}  // namespace
}  // namespace nbody::protocol
