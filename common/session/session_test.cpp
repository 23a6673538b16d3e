#include "session/session.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>

#include "session/child_process.hpp"
#include "session/listener.hpp"
#include "session/test_session.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

// As ps shows it: R, S, T (stopped), Z; 0 when there is no such process.
char state_of_process(pid_t number) {
  std::ifstream file("/proc/" + std::to_string(number) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos ? 0 : line[name_end + 2];
}
bool is_gone(pid_t number) {
  return comes_true(
      [=] { return std::string("\0Z", 2).find(state_of_process(number)) != std::string::npos; });
}

TEST(Session, BringsBackWhatTheProgramComputed) {
  Session session = session_with("none");
  EXPECT_EQ(session.hello(), std::nullopt);
  Request request = test_request();
  for (const bool every_state : {false, true}) {
    for (const std::uint64_t steps : {0, 1, 5}) {
      request.every_state = request.jerk = every_state;
      request.accelerations = steps != 1;
      request.steps = steps;
      EXPECT_EQ(session.ask(request, std::numeric_limits<double>::infinity()),
                test_answer(request));
      EXPECT_GT(session.answer_seconds(), 0);
    }
  }
  EXPECT_EQ(session.hello(), test_hello());
  EXPECT_EQ(session.finish(30), "exited with status 0");
  EXPECT_EQ(session.finish(30), "");
}

TEST(Session, NaNArrivesBitForBit) {
  Session session = session_with("none");
  Request request = test_request();
  request.bodies.vx[1] = std::numeric_limits<double>::signaling_NaN();
  const double back = session.ask(request, 30).accelerations.x[1];
  EXPECT_EQ(std::memcmp(&back, &request.bodies.vx[1], sizeof back), 0);
}

TEST(Session, WhatIsPrintedBecomesDiagnostics) {
  std::string much;
  while (much.size() < 65536) much += std::string(99, '!') + "\n";
  const std::pair<const char*, std::string> programs[] = {
      {"prints", "computing\nerror: none\n"},
      {"prints_much", much.substr(0, 65536)}};  // ten megabytes are taken and cut
  for (const auto& [fault, printed] : programs) {
    Session session = session_with(fault);
    EXPECT_EQ(said_by(session), "");
    EXPECT_EQ(session.diagnostics(), printed);
    session.finish(30);
    EXPECT_EQ(session.diagnostics(), printed);
  }
}

// Nor of a file that this process left open: a program must not hold what another one needs.
TEST(Session, TheProgramSeesNothingOfTheSocket) {
  ::setenv(socket_variable, "/nowhere", 1);  // meant for another
  const int left_open = ::fcntl(STDERR_FILENO, F_DUPFD, 50);
  ASSERT_EQ(left_open, 50);
  Session session = session_with("looks_around");
  EXPECT_EQ(said_by(session), "");
  ::close(left_open);
  ::unsetenv(socket_variable);
}

// A program that stops the clock with its first byte and computes afterwards would look fast.
TEST(Session, TheClockRunsUntilTheLastByte) {
  Session session = session_with("trickles");
  EXPECT_EQ(said_by(session), "");
  EXPECT_GT(session.answer_seconds(), 0.2);  // more than 100 bytes, 2 ms each
}

long pages_cleared(__rusage_who whose) {
  rusage usage{};
  ::getrusage(whose, &usage);
  return usage.ru_minflt;
}

// New memory for each message would come from the system, whose pages are cleared.
TEST(Session, BothSidesKeepTheMemoryOfBigMessages) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "sanitizers have a memory of their own";
#endif
  const Request request = test_request(1500000);
  long cleared[2] = {};
  for (const int more : {0, 1}) {
    const long before = pages_cleared(RUSAGE_SELF) + pages_cleared(RUSAGE_CHILDREN);
    Session session = session_with("none");
    for (int k = 0; k < 2 + 3 * more; ++k) session.ask(request, 100);
    session.finish(30);
    cleared[more] = pages_cleared(RUSAGE_SELF) + pages_cleared(RUSAGE_CHILDREN) - before;
  }
  EXPECT_LT(cleared[1], cleared[0] + 10000);  // one message has 20000 pages
}

TEST(Session, LeavesNoDescriptorAndNoProcess) {
  const auto open_descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const std::ptrdiff_t before = open_descriptors();
  for (int k = 0; k < 20; ++k) {
    Session good = session_with("none"), bad = session_with(k % 2 == 0 ? "exits" : "refuses");
    EXPECT_EQ(said_by(good), "");
    EXPECT_NE(said_by(bad), "");
    EXPECT_GT(open_descriptors(), before);  // the count can see a leak
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Session, TheProgramDiesWithItsChecker) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t checker = ::fork();
  if (checker == 0) {
    const ChildProcess program({"/bin/sleep", "60"}, "");
    const pid_t number = program.number();
    ::_exit(::write(ends[1], &number, sizeof number) == sizeof number && ::pause() == 0);
  }
  pid_t program = 0;
  ASSERT_EQ(::read(ends[0], &program, sizeof program), static_cast<ssize_t>(sizeof program));
  EXPECT_NE(state_of_process(program), 0);
  ::kill(checker, SIGKILL);
  ::waitpid(checker, nullptr, 0);
  EXPECT_TRUE(is_gone(program));
  for (const int end : ends) ::close(end);
}

TEST(Session, WhatItLeftBehindIsCountedAndStandsStillAndDiesWithIt) {
  pid_t child = 0;
  {
    Session session = session_with("leaves_child");
    EXPECT_EQ(said_by(session), "");
    ASSERT_TRUE(comes_true([&] { return session.diagnostics().find('\n') != std::string::npos; }));
    child = std::stoi(session.diagnostics());
    EXPECT_TRUE(comes_true([&] { return session.cpu_seconds() > 0.3; }));
    session.pause();
    EXPECT_TRUE(comes_true([&] { return state_of_process(child) == 'T'; }));
    const double before = session.cpu_seconds();
    ::usleep(100000);
    EXPECT_EQ(session.cpu_seconds(), before);
    EXPECT_NEAR(session.thread_times().ran, before, 0.05);  // none of its threads has ended
    session.resume();
    EXPECT_TRUE(comes_true([&] { return session.cpu_seconds() > before; }));
    EXPECT_EQ(said_by(session), "");
  }
  EXPECT_TRUE(is_gone(child));
}

// Shells that do nothing, and below them one that works in a session of its own: as in a sandbox,
// or under mpiexec.
TEST(ChildProcess, IsAllThatItStarted) {
  ChildProcess shell(
      {"/bin/sh", "-c", "sh -c 'setsid sh -c \"while :; do :; done\" & wait' & wait"}, "");
  EXPECT_TRUE(comes_true([&] { return cpu_seconds_of(shell.number()) > 0.2; }));
  EXPECT_GT(memory_of(shell.number()), 3u * 500000u);  // three shells
  signal_all(shell.number(), SIGSTOP);
  ::usleep(20000);
  const double before = cpu_seconds_of(shell.number());
  ::usleep(100000);
  EXPECT_EQ(cpu_seconds_of(shell.number()), before);
}

// The lab ignores broken pipes; what it starts does not inherit that.
TEST(ChildProcess, StartsWithDefaultSignals) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  ChildProcess shell({"/bin/sh", "-c", "kill -PIPE $$"}, "");
  EXPECT_EQ(shell.stop(Clock::now() + std::chrono::seconds(20)),
            "killed by signal 13 (Broken pipe)");
  std::signal(SIGPIPE, before);
}

// Listeners find their folder in TMPDIR: here they leave traces that can be seen.
TEST(Socket, IsGoneWhenItIsConnectedOrNobodyConnects) {
  const fs::path folder = fs::path(testing::TempDir()) / ("t" + std::to_string(::getpid()));
  fs::create_directory(folder);
  ::setenv("TMPDIR", folder.c_str(), 1);
  {
    const Listener listener;
    struct stat status {};
    ASSERT_EQ(::stat(fs::path(listener.path()).parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_TRUE(fs::is_empty(folder));
  Session session = session_with("none");
  EXPECT_EQ(said_by(session), "");
  EXPECT_TRUE(fs::is_empty(folder));
  Session silent("/bin/true");
  EXPECT_EQ(said_by(silent), "exited with status 0 before its hello");
  EXPECT_TRUE(fs::is_empty(folder));
  ::setenv("TMPDIR", (folder / "none").c_str(), 1);
  Session nowhere = session_with("none");
  EXPECT_TRUE(said_by(nowhere).starts_with("it could not be started: ")) << said_by(nowhere);
  ::unsetenv("TMPDIR");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nbody
