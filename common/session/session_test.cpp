// What a session brings back, what it says of a program that does not answer as it should, and what
// it leaves behind.
#include "session/session.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <fstream>
#include <limits>

#include "session/child_process.hpp"
#include "simulator/test_messages.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;
using Kind = SessionError::Kind;

// Beside the test.
std::string bad_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bad_program";
}

Session session_with(const std::string& fault) { return Session(bad_program(), {fault}); }

// Without a word: it answered.
SessionError fault_of(Session& session, const Request& request = test_request(),
                      double timeout_s = 30) {
  try {
    EXPECT_EQ(session.ask(request, timeout_s), test_answer(request));
  } catch (const SessionError& fault) {
    return fault;
  }
  return SessionError(SessionError::Kind::refused, "");
}
std::string said_by(Session& session) { return fault_of(session).what(); }

// Within half a minute.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int k = 0; k < 3000 && !condition(); ++k) ::usleep(10000);
  return condition();
}

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

TEST(Message, KeepsEveryField) {
  Request request = test_request();
  request.bodies.resize(0);
  request.adaptive = request.every_state = true;
  request.setting.G = 5e-324;  // JSON has as many digits as bring a double back
  EXPECT_EQ(parse_request_header(format_request_header(request, 7)).request, request);
  // The checker must see what a wrong program computed.
  request = test_request();
  Answer answer = test_answer(request);
  answer.states.back().velocity.z.back() = std::numeric_limits<double>::signaling_NaN();
  const std::string message = format_answer(answer, 7);
  const std::string_view columns = std::string_view(message).substr(message.find('\n') + 1);
  EXPECT_EQ(format_answer(parse_answer(request, columns), 7), message);
}

TEST(Message, WithAWrongHeaderIsRefused) {
  std::string hello = format_hello(test_hello());
  EXPECT_THROW(parse_hello(hello.replace(hello.find("double"), 6, "half")), ProtocolError);
  EXPECT_THROW(parse_request_header("{\"request\":7,\"n\":1}"), ProtocolError);
  EXPECT_THROW(parse_answer_header("{\"request\":7,\"refused\":\"failed\"}"), ProtocolError);
}

TEST(Session, BringsBackWhatTheProgramComputed) {
  Session session = session_with("none");
  Request request = test_request();
  for (const bool every_state : {false, true}) {
    for (const std::uint64_t steps : {0, 1, 5}) {
      request.every_state = every_state;
      request.accelerations = steps != 1;
      request.steps = steps;
      EXPECT_EQ(session.ask(request, 30), test_answer(request));
      EXPECT_GT(session.answer_seconds(), 0);
    }
  }
  EXPECT_EQ(fault_of(session, request, 0).kind, Kind::late);  // that ends the program
  EXPECT_EQ(said_by(session), "");
  EXPECT_EQ(session.finish(30), "exited with status 0");
  EXPECT_TRUE(session.diagnostics().starts_with("it computes\n")) << session.diagnostics();
}

// A program that stops the clock with its first byte and computes afterwards would look fast.
TEST(Session, TheClockRunsUntilTheLastByte) {
  Session session = session_with("trickles");
  EXPECT_EQ(said_by(session), "");
  EXPECT_GT(session.answer_seconds(), 0.2);  // more than 100 bytes, 2 ms each
}

// --- faults

// A fault of bad_program, and how what is said begins.
struct Row {
  const char* fault;
  Kind kind;
  const char* sentence;
  std::size_t bodies = 2;
};

constexpr Kind died = Kind::died, late = Kind::late, malformed = Kind::malformed,
               refused = Kind::refused, unsupported = Kind::unsupported;
constexpr std::size_t many = 100000;  // so that the socket cannot hold the whole request
const Row rows[] = {
    {"crashes_with_child", died, "killed by signal 11 (Segmentation fault) before it answered"},
    {"cut_answer", died, "exited with status 4 after 120 bytes of its answer"},
    {"closes", died, "closed its connection and kept running before it answered"},

    {"no_hello", late, "no answer in time: before its hello"},
    {"hangs", late, "no answer in time: before it answered"},

    {"refuses", refused, "bodies 3 and 5\\x0acoincide \\xef\\xbf\\xbd"},
    {"lacks_it", unsupported, "no such integrator"},

    {"old_hello", malformed, "it speaks version 5 of the protocol, where 6 is needed"},
    {"more_than_hello", malformed, "it wrote more than its hello"},
    {"more_than_answer", malformed, "it wrote more than its answer"},
    {"answers_early", malformed, "it answered before it had the whole request", many},
    {"prints_there", malformed, "it sent no line of JSON: step 1"},
};

TEST(Fault, EachGetsItsSentence) {
  for (const auto& [fault, kind, sentence, bodies] : rows) {
    Session session = session_with(fault);
    const std::clock_t before = std::clock();
    const SessionError said = fault_of(session, test_request(bodies), kind == late ? 1 : 30);
    // It is waited for without processor time.
    EXPECT_TRUE(kind != late || std::clock() - before < CLOCKS_PER_SEC / 2) << fault;
    const std::string words = said.what();
    EXPECT_EQ(said.kind, kind) << fault << ": " << words;
    EXPECT_TRUE(words.starts_with(sentence)) << fault << ": " << words;
    EXPECT_EQ(said.signal, words.starts_with("killed") ? SIGSEGV : 0);
    EXPECT_EQ(session.finish(0).empty(), kind != unsupported);  // only that one is asked on
  }
}

TEST(Fault, AProgramThatCannotStartSaysWhy) {
  Session session("/nowhere/at/all");
  const SessionError fault = fault_of(session);
  EXPECT_EQ(fault.kind, died);
  EXPECT_STREQ(fault.what(),
               "exited with status 127 before its hello: cannot start /nowhere/at/all: No such "
               "file or directory");
  EXPECT_FALSE(session.has_greeted());
}

// The first answer is right: the second question finds the fault.
TEST(Fault, AnAnswerToAnotherRequestIsNotTaken) {
  Session session = session_with("repeats_itself");
  EXPECT_EQ(said_by(session), "");
  EXPECT_EQ(said_by(session), "it answered request 1 when asked 2");
}

TEST(Fault, AnotherProgramIsNotAsked) {
  const std::string other =
      "it is another program: test/bad_program in double, built for 'avx2', where ";
  const std::pair<SessionOptions, std::string> programs[] = {
      {{Precision::double_precision, {"test", "bad_program", "avx2"}}, ""},
      {{.precision = Precision::single_precision},
       other + "test/bad_program in float, built for 'avx2', was expected"},
      {{.hello = {"part1", "mine", ""}},
       other + "part1/mine in double, built for '', was expected"},
      {{.launcher = {{"/usr/bin/env", "-u", "RANKS"}, 4}}, "it runs on 1 ranks, not on 4"},
  };
  for (const auto& [options, said] : programs) {
    Session session(bad_program(), {"none"}, options);
    EXPECT_EQ(said_by(session), said);
  }
}

// --- processes, descriptors, files

// The folder of a socket is in TMPDIR.
TEST(Session, LeavesNoDescriptorNoProcessAndNoFile) {
  const fs::path folder = fs::path(testing::TempDir()) / ("t" + std::to_string(::getpid()));
  fs::create_directory(folder);
  ::setenv("TMPDIR", folder.c_str(), 1);
  const auto open_descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const std::ptrdiff_t before = open_descriptors();
  for (const char* fault : {"none", "crashes_with_child", "refuses"}) {
    Session session = session_with(fault);
    EXPECT_EQ(said_by(session).empty(), fault == std::string("none"));
    EXPECT_TRUE(fs::is_empty(folder));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  fs::remove(folder);
  Session nowhere = session_with("none");
  EXPECT_TRUE(said_by(nowhere).starts_with("it could not be started: "));
  const fs::path deep = folder / std::string(120, 'x');
  fs::create_directories(deep);
  ::setenv("TMPDIR", deep.c_str(), 1);
  Session too_long = session_with("none");
  EXPECT_TRUE(said_by(too_long).starts_with("it could not be started: "));
  EXPECT_TRUE(fs::is_empty(deep));
  fs::remove_all(folder);
  ::unsetenv("TMPDIR");
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Session, NoOtherProcessReadsTheChecker) {
  const Session session = session_with("none");
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE), 0);
}
#endif

TEST(Session, TheProgramDiesWithItsChecker) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t checker = ::fork();
  if (checker == 0) {
    const ChildProcess program({"/bin/sleep", "60"}, "");
    const pid_t number = program.number();
    ::usleep(300000);  // until it sleeps: before that it would see by itself that we are gone
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
    EXPECT_TRUE(comes_true([&] { return session.numbers().cpu_seconds > 0.3; }));
    session.pause();
    EXPECT_TRUE(comes_true([&] { return state_of_process(child) == 'T'; }));
    const double before = session.numbers().cpu_seconds;
    ::usleep(100000);
    // It would work for 0.1 s; what it did just before it stopped may be counted late.
    EXPECT_NEAR(session.numbers().cpu_seconds, before, 0.01);
    EXPECT_NEAR(session.numbers().threads_ran, before, 0.05);  // none of its threads has ended
    session.resume();
    EXPECT_TRUE(comes_true([&] { return session.numbers().cpu_seconds > before; }));
    EXPECT_EQ(said_by(session), "");
  }
  EXPECT_TRUE(is_gone(child));
}

// Shells that do nothing, and below them one that works in a session of its own: as in a sandbox,
// or under mpiexec.
TEST(ChildProcess, IsAllThatItStarted) {
  ChildProcess shell(
      {"/bin/sh", "-c", "sh -c 'setsid sh -c \"while :; do :; done\" & wait' & wait"}, "");
  EXPECT_TRUE(comes_true([&] { return numbers_of(shell.number()).cpu_seconds > 0.2; }));
  EXPECT_GT(numbers_of(shell.number()).memory, 3u * 500000u);  // three shells
}

}  // namespace
}  // namespace nbody
