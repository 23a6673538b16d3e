#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "protocol/child_process.hpp"
#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

void expect_no_children() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

void expect_honest_answer(Session& session, const Request& request) {
  const Answer answer = session.ask(request, 30), expected = honest_answer(request);
  EXPECT_EQ(answer.states, expected.states);
  EXPECT_EQ(answer.accelerations, expected.accelerations);
  EXPECT_EQ(answer.jerk, expected.jerk);
  EXPECT_EQ(session.hello(), honest_hello());
  EXPECT_GT(session.answer_seconds(), 0);
  EXPECT_LT(session.answer_seconds(), 30);
}

TEST(Session, BringsBackWhatTheProgramComputed) {
  for (const Transport transport : transports) {
    Session session = session_with("honest", transport);
    Request request = small_request();
    for (const bool every_state : {false, true}) {
      for (const std::uint64_t steps : {0, 1, 5}) {
        request.want_every_state = request.want_jerk = every_state;
        request.want_accelerations = steps != 1;
        request.steps = steps;
        expect_honest_answer(session, request);
      }
    }
  }
}

TEST(Session, EveryQuestionHasAFreshId) {
  Session session = session_with("honest");
  const Request request = small_request();
  EXPECT_EQ(session.ask(request, 30).id, 1u);
  EXPECT_EQ(session.ask(request, 30).id, 2u);
}

TEST(Session, AnyTimeoutCanBeGiven) {
  Session session = session_with("honest");
  session.ask(small_request(), std::numeric_limits<double>::infinity());
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(failure_of(session, small_request(), bad).kind, SessionError::Kind::timed_out);
  }
}

TEST(Session, NoiseOnStandardOutputBecomesDiagnostics) {
  for (const Transport transport : transports) {
    Session session = session_with("noisy", transport);
    const Request request = small_request();
    EXPECT_EQ(session.ask(request, 30).states, honest_answer(request).states);
    EXPECT_EQ(session.diagnostics(), "computing 2 bodies\nstill computing\nraw\n");
  }
}

TEST(Session, TheSimulatorSeesAnEmptyInput) {
  for (const Transport transport : transports) {
    Session session = session_with("reads_input", transport);
    for (int k = 0; k < 2; ++k) session.ask(small_request(), 30);
  }
}

TEST(Session, AFloodOfMessagesIsTakenAndCapped) {
  Session session = session_with("floods");
  session.ask(small_request(), 60);
  EXPECT_EQ(session.diagnostics().size(), 65536u);
  EXPECT_EQ(session.diagnostics().substr(0, 3), "!!!");
}

TEST(Session, WrongNumbersReachTheCaller) {
  Session session = session_with("wrong_values");
  const Answer answer = session.ask(small_request(), 30);
  EXPECT_EQ(answer.states[0].position.x[0], std::numeric_limits<double>::infinity());
  EXPECT_NE(answer.accelerations.y[0], answer.accelerations.y[0]);
}

TEST(Session, AHundredMegabytesEachWay) {
  const Request request = long_request(2100000);
  for (const Transport transport : transports) {
    Session session = session_with("honest", transport);
    EXPECT_EQ(session.ask(request, 100).states.at(0).position.x, request.bodies.qx);
  }
}

// A program that stops the clock with its first byte and computes afterwards would look fast.
TEST(Session, TheClockRunsUntilTheLastByte) {
  Session session(test_program("broken_server"), {"trickles"});
  session.ask(long_request(1), 30);  // 112 bytes, 2 ms each
  EXPECT_GT(session.answer_seconds(), 0.2);
}

TEST(Session, LeavesNoDescriptorAndNoProcess) {
  const std::size_t before = open_descriptors();
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
  expect_no_children();
}

TEST(Session, AProgramThatIgnoresTheEndIsKilled) {
  const auto start = std::chrono::steady_clock::now();
  {
    Session session(test_program("broken_server"), {"ignores_end"});
    session.ask(small_request(), 30);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  expect_no_children();
}

TEST(Session, AProgramWithoutRequestsIsNeverStarted) {
  const std::size_t before = open_descriptors();
  const Session session("/nowhere/at/all");
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(session.diagnostics(), "");
}

// A pipe whose write end programs inherit: it ends when the last of them does.
class Lifeline {
 public:
  Lifeline() {
    if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
    ::fcntl(ends_[0], F_SETFD, FD_CLOEXEC);
  }
  ~Lifeline() {
    let_go();
    ::close(ends_[0]);
  }
  void let_go() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  void say_ready() {
    if (::write(ends_[1], "r", 1) != 1) ::_exit(1);
  }
  void wait_until_ready() {
    char letter = 0;
    EXPECT_EQ(::read(ends_[0], &letter, 1), 1);
  }
  bool ends_within(int milliseconds) {
    pollfd end{ends_[0], POLLIN, 0};
    return ::poll(&end, 1, milliseconds) == 1;
  }

 private:
  int ends_[2];
};

// With a program that does not look at its input: it cannot notice by itself.
TEST(Session, TheProgramDiesWithItsChecker) {
  Lifeline lifeline;
  const pid_t checker = ::fork();
  if (checker == 0) {
    const ChildProcess program(test_program("broken_server").string(), {"--serve", "closes_input"});
    lifeline.say_ready();
    while (true) ::pause();
  }
  lifeline.let_go();
  lifeline.wait_until_ready();
  EXPECT_FALSE(lifeline.ends_within(200));
  ::kill(checker, SIGKILL);
  ::waitpid(checker, nullptr, 0);
  EXPECT_TRUE(lifeline.ends_within(10000));
}

TEST(Session, WhatTheProgramStartedIsKilledToo) {
  for (const Transport transport : transports) {
    Lifeline lifeline;
    Session session = session_with("hangs_with_child", transport);
    EXPECT_EQ(failure_of(session, small_request(), 0.5).kind, SessionError::Kind::timed_out);
    lifeline.let_go();
    EXPECT_TRUE(lifeline.ends_within(10000));
  }
}

TEST(Session, SurvivesAProgramThatIsGone) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  Session session(test_program("broken_server"), {"closes_input_and_exits"});
  EXPECT_EQ(failure_of(session, long_request(100000)).kind, SessionError::Kind::crashed);
  std::signal(SIGPIPE, before);
}

// Standard descriptors of our own may be closed: the pipes then get their numbers.
TEST(Session, WorksWithoutStandardInputAndOutput) {
  const pid_t checker = ::fork();
  if (checker == 0) {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    ::close(STDERR_FILENO);
    const Request request = small_request();
    Session session = session_with("honest");
    try {
      ::_exit(session.ask(request, 30).states == honest_answer(request).states ? 0 : 1);
    } catch (const SessionError&) {
      ::_exit(2);
    }
  }
  int status = 0;
  ::waitpid(checker, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace nbody::protocol
