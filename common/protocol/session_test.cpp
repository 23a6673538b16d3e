#include "protocol/session.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

#include "protocol/child_process.hpp"
#include "protocol/process_tree.hpp"
#include "protocol/test_sessions.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

namespace fs = std::filesystem;
using Kind = SessionError::Kind;

std::ptrdiff_t open_descriptors() {
  const fs::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

TEST(Session, BringsBackWhatTheProgramComputed) {
  Session session = session_with("honest");
  EXPECT_EQ(session.hello(), std::nullopt);
  Request request = small_request();
  std::uint64_t id = 0;
  for (const bool every_state : {false, true}) {
    for (const std::uint64_t steps : {0, 1, 5}) {
      request.want_every_state = request.want_jerk = every_state;
      request.want_accelerations = steps != 1;
      request.steps = steps;
      Answer expected = honest_answer(request);
      expected.id = ++id;  // each question has a fresh one
      EXPECT_EQ(session.ask(request, 30), expected);
      EXPECT_GT(session.answer_seconds(), 0);
      EXPECT_LT(session.answer_seconds(), 30);
    }
  }
  EXPECT_EQ(session.hello(), honest_hello());
  EXPECT_EQ(session.finish(30), "exited with status 0");
  EXPECT_EQ(session.finish(30), "");
}

TEST(Session, AnyTimeoutCanBeGiven) {
  Session session = session_with("honest");
  session.ask(small_request(), std::numeric_limits<double>::infinity());
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(failure_of(session, small_request(), bad).kind, Kind::timed_out);
  }
}

TEST(Session, WhatIsPrintedBecomesDiagnostics) {
  std::string flood;
  while (flood.size() < 65536) flood += std::string(99, '!') + "\n";
  const std::pair<const char*, std::string> programs[] = {
      {"noisy", "computing 2 bodies\nstill computing\nraw\n"},
      {"floods", flood.substr(0, 65536)}};  // ten megabytes are taken and cut
  for (const auto& [behaviour, printed] : programs) {
    Session session = session_with(behaviour);
    EXPECT_EQ(session.ask(small_request(), 60).states, honest_answer(small_request()).states);
    EXPECT_EQ(session.diagnostics(), printed);
    session.finish(30);
    EXPECT_EQ(session.diagnostics(), printed);
  }
}

TEST(Session, TheSimulatorSeesNothingOfTheSocket) {
  ::setenv(socket_variable, "/nowhere", 1);  // meant for another
  Session session = session_with("looks_around");
  for (int k = 0; k < 2; ++k) session.ask(small_request(), 30);
  ::unsetenv(socket_variable);
}

long pages_cleared(__rusage_who whose) {
  rusage usage{};
  ::getrusage(whose, &usage);
  return usage.ru_minflt;
}

// More than a session believes of an announcement. New memory for each message would come from the
// system, whose pages are cleared.
TEST(Session, BothSidesKeepTheMemoryOfBigMessages) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "sanitizers have a memory of their own";
#endif
  const Request request = long_request(1500000);
  std::map<int, std::pair<long, long>> cleared;  // here and in the program, by requests
  for (const int requests : {2, 5}) {
    const long before = pages_cleared(RUSAGE_SELF), others = pages_cleared(RUSAGE_CHILDREN);
    Session session = session_with("honest");
    for (int k = 0; k < requests; ++k) {
      ASSERT_EQ(session.ask(request, 100).states.at(0).position.x, request.bodies.qx);
    }
    session.finish(30);
    cleared[requests] = {pages_cleared(RUSAGE_SELF) - before,
                         pages_cleared(RUSAGE_CHILDREN) - others};
  }
  constexpr long few = 5000;  // one message has 20000 pages
  EXPECT_LT(cleared[5].first, cleared[2].first + few);
  EXPECT_LT(cleared[5].second, cleared[2].second + few);
}

// A program that stops the clock with its first byte and computes afterwards would look fast.
TEST(Session, TheClockRunsUntilTheLastByte) {
  Session session = session_with("hello|trickle");
  session.ask(long_request(1), 30);  // more than 100 bytes, 2 ms each
  EXPECT_GT(session.answer_seconds(), 0.2);
}

TEST(Session, LeavesNoDescriptorAndNoProcess) {
  const std::ptrdiff_t before = open_descriptors();
  for (int k = 0; k < 50; ++k) {
    Session good = session_with("honest");
    good.ask(small_request(), 30);
    Session bad = session_with(k % 2 == 0 ? "exits" : "refuses");
    EXPECT_THROW(bad.ask(small_request(), 30), SessionError);
    Session missing("/nowhere/at/all");
    EXPECT_THROW(missing.ask(small_request(), 30), SessionError);
    EXPECT_GT(open_descriptors(), before);  // the count can see a leak
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Session, NothingOutlivesIt) {
  {
    Session session = session_with("hello|answer|wait");
    session.ask(small_request(), 30);
    Session with_child = session_with("hangs_with_child");
    EXPECT_EQ(failure_of(with_child, small_request(), 0.5).kind, Kind::timed_out);
  }
  EXPECT_TRUE(descendants_of(::getpid()).empty());
}

TEST(Session, TheProgramDiesWithItsChecker) {
  adopt_orphans();
  const pid_t checker = ::fork();
  if (checker == 0) {
    const ChildProcess program({"/bin/sleep", "60"});
    while (true) ::pause();
  }
  while (descendants_of(checker).empty()) ::usleep(1000);
  const pid_t program = descendants_of(checker).front();
  ::kill(checker, SIGKILL);
  ::waitpid(checker, nullptr, 0);
  int status = 0;
  EXPECT_EQ(::waitpid(program, &status, 0), program);
  EXPECT_NE(status, 0);
}

TEST(Session, SurvivesAProgramThatIsGone) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  Session session = session_with("hello|listen no more|rest|exit");
  const auto [kind, message] = failure_of(session, long_request(100000));
  EXPECT_EQ(kind, Kind::crashed);
  EXPECT_EQ(message.find("exited with status 4 "), 0u) << message;
  std::signal(SIGPIPE, before);
}

// Standard descriptors of our own may be closed: others then get their numbers.
TEST(Session, WorksWithoutStandardDescriptors) {
  const pid_t checker = ::fork();
  if (checker == 0) {
    for (const int standard : {0, 1, 2}) ::close(standard);
    Session session = session_with("looks_around");
    ::_exit(failure_of(session).message == nothing_wrong ? 0 : 1);
  }
  int status = 1;
  ::waitpid(checker, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Session, APausedProgramUsesNoProcessorAndGoesOn) {
  Session session = session_with("honest");
  session.ask(long_request(200), 30);
  session.pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double before = session.cpu_seconds();
  EXPECT_GT(before, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(session.cpu_seconds(), before);
  session.resume();
  session.ask(long_request(200), 30);
  EXPECT_GT(session.cpu_seconds(), before);
}

// As ps shows it: R, S, T (stopped), Z; 0 when there is no such process.
char state_of_process(const std::string& number) {
  std::ifstream file("/proc/" + number + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos ? 0 : line[name_end + 2];
}

TEST(Session, WhatItLeftBehindIsCountedAndStandsStillAndDiesWithIt) {
  std::string daemon;
  {
    Session session = session_with("leaves_daemon");
    session.ask(long_request(2), 30);
    ASSERT_TRUE(comes_true([&] {
      session.ask(long_request(2), 30);  // reads what was printed
      return session.diagnostics().find('\n') != std::string::npos;
    }));
    daemon = session.diagnostics().substr(0, session.diagnostics().find('\n'));
    ASSERT_NE(state_of_process(daemon), 0) << daemon;
    EXPECT_TRUE(comes_true([&] { return session.cpu_seconds() > 0.3; }));
    session.pause();
    EXPECT_TRUE(comes_true([&] { return state_of_process(daemon) == 'T'; }));
    session.resume();
    session.ask(long_request(2), 30);
  }
  EXPECT_EQ(state_of_process(daemon), 0);
}

// Listeners find their folder in TMPDIR: here they leave traces that can be seen.
class Socket : public testing::Test {
 protected:
  Socket() {
    fs::create_directory(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~Socket() override {
    ::unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }
  const fs::path folder_ = fs::path(testing::TempDir()) / ("t" + std::to_string(::getpid()));
};

TEST_F(Socket, IsGoneWhenItIsConnectedOrNobodyConnects) {
  {
    const Listener listener;
    EXPECT_FALSE(fs::is_empty(folder_));  // so that the rest can fail
    struct stat status {};
    ASSERT_EQ(::stat(fs::path(listener.path()).parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  Session session = session_with("honest");
  session.ask(small_request(), 30);
  EXPECT_TRUE(fs::is_empty(folder_));
  for (const char* program : {"/bin/true", "/nowhere/at/all"}) {
    Session silent(program);
    EXPECT_THROW(silent.ask(small_request(), 30), SessionError);
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

TEST_F(Socket, AFolderThatIsTooLongOrNoneSaysSo) {
  const fs::path deep = folder_ / std::string(100, 'x');
  fs::create_directory(deep);
  const std::pair<fs::path, const char*> folders[] = {
      {folder_ / "none", "cannot make a folder for a socket: No such file or directory"},
      {deep, "cannot use the socket: File name too long"}};
  for (const auto& [folder, sentence] : folders) {
    ::setenv("TMPDIR", folder.c_str(), 1);
    Session session = session_with("honest");
    const auto [kind, message] = failure_of(session);
    EXPECT_EQ(kind, Kind::not_started);
    EXPECT_EQ(message, "cannot start " + fake_server() + ": " + sentence);
  }
  EXPECT_TRUE(fs::is_empty(deep));
}

}  // namespace
}  // namespace nbody::protocol
