#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

void expect_malformed(const std::string& fault, const std::string& message,
                      const Request& request = small_request()) {
  expect_fault(fault, Kind::malformed_answer, message, request);
}

TEST(SessionFaults, AProgramThatCannotStartSaysWhy) {
  Session missing("/nowhere/at/all");
  expect_failure(missing, Kind::not_started,
                 "cannot start /nowhere/at/all: No such file or directory");
  Session folder("/tmp");
  expect_failure(folder, Kind::not_started, "cannot start /tmp: Permission denied");
}

TEST(SessionFaults, AFileThatIsNoProgramSaysWhy) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("no_program_" + std::to_string(::getpid()));
  std::ofstream(file) << "not a program";
  Session session(file);
  expect_failure(session, Kind::not_started,
                 "cannot start " + file.string() + ": Permission denied");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  expect_failure(session, Kind::not_started,
                 "cannot start " + file.string() + ": Exec format error");
  std::filesystem::remove(file);
}

TEST(SessionFaults, AnEndSaysHow) {
  expect_handler_failure("crashes", Kind::crashed,
                         "killed by signal 11 (Segmentation fault) before it answered");
  expect_handler_failure("exits", Kind::crashed, "exited with status 3 before it answered");
}

// The child holds the pipes.
TEST(SessionFaults, ACrashIsSeenThoughItsChildRuns) {
  expect_handler_failure("crashes_with_child", Kind::crashed,
                         "killed by signal 11 (Segmentation fault) before it answered");
}

// As ps shows it: R, S, T (stopped), Z; 0 when there is no such process.
char state_of_process(const std::string& number) {
  std::ifstream file("/proc/" + number + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos ? 0 : line[name_end + 2];
}

TEST(SessionFaults, WhatItStartedStandsStillAndDiesWithIt) {
  std::string daemon;
  {
    Session session = session_with("leaves_daemon");
    session.ask(long_request(2), 30);
    // It writes its number when it comes to it.
    for (int k = 0; k < 1000 && session.diagnostics().empty(); ++k)
      session.ask(long_request(2), 30);
    daemon = session.diagnostics();
    daemon = daemon.substr(0, daemon.find('\n'));
    ASSERT_NE(state_of_process(daemon), 0) << daemon;
    session.pause();
    for (int k = 0; k < 1000 && state_of_process(daemon) != 'T'; ++k) ::usleep(10000);
    EXPECT_EQ(state_of_process(daemon), 'T');
    session.resume();
    session.ask(long_request(2), 30);
  }
  EXPECT_EQ(state_of_process(daemon), 0);
}

TEST(SessionFaults, APausedProgramUsesNoProcessorAndGoesOn) {
  Session session = session_with("honest");
  session.ask(long_request(200), 30);
  EXPECT_GT(session.cpu_seconds(), 0);
  session.pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double before = session.cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(session.cpu_seconds(), before);
  session.resume();
  session.ask(long_request(200), 30);
  EXPECT_GT(session.cpu_seconds(), before);
}

TEST(SessionFaults, AnEndInsideTheAnswerSaysHowFarItCame) {
  expect_fault("stops_mid_answer", Kind::crashed,
               "exited with status 3 after 120 of 208 bytes of its answer");
  expect_fault("stops_mid_header", Kind::crashed,
               "exited with status 0 after 12 bytes of its answer");
  Session closed(test_program("broken_server"), {"closes_output"});
  expect_failure(closed, Kind::crashed, "closed its output and kept running before it answered");
}

TEST(SessionFaults, ARequestThatNobodyReadsEndsToo) {
  Session session(test_program("broken_server"), {"closes_input_and_exits"});
  const Failure failure = failure_of(session, long_request(100000));
  EXPECT_EQ(failure.kind, Kind::crashed);
  EXPECT_EQ(failure.message.find("exited with status 4 after "), 0u) << failure.message;
  EXPECT_NE(failure.message.find(" of 5600168 bytes of the request"), std::string::npos);
}

TEST(SessionFaults, NoAnswerInTimeIsReportedInTime) {
  const std::pair<const char*, const char*> programs[] = {{"handler_server", "hangs"},
                                                          {"broken_server", "closes_input"},
                                                          {"broken_server", "starts_early"},
                                                          {"broken_server", "trickles"}};
  for (const auto& [program, mode] : programs) {
    Session session(test_program(program), {mode});
    const auto start = std::chrono::steady_clock::now();
    const Failure failure = failure_of(session, small_request(), 0.25);
    const auto taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(failure.kind, Kind::timed_out) << mode << failure.message;
    EXPECT_EQ(failure.message.find("no answer in time: "), 0u) << failure.message;
    EXPECT_GT(taken, std::chrono::milliseconds(240)) << mode;
    EXPECT_LT(taken, std::chrono::seconds(30)) << mode;
  }
}

TEST(SessionFaults, WaitingForAProgramThatClosedItsInputTakesNoProcessorTime) {
  Session session(test_program("broken_server"), {"closes_input"});
  const std::clock_t before = std::clock();
  EXPECT_EQ(failure_of(session, long_request(100000), 1).kind, Kind::timed_out);
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 2);
}

// The lab ignores broken pipes; what it starts does not inherit that.
TEST(SessionFaults, AProgramStartsWithDefaultSignals) {
  expect_fault("breaks_a_pipe", Kind::crashed,
               "killed by signal 13 (Broken pipe) before it answered");
}

TEST(SessionFaults, DiagnosticsOutliveTheProgram) {
  Session session(test_program("broken_server"), {"no_such_fault"});
  const Failure failure = failure_of(session, small_request());
  EXPECT_EQ(failure.kind, Kind::crashed);
  EXPECT_EQ(failure.message.find("exited with status 2"), 0u) << failure.message;
  EXPECT_EQ(session.diagnostics().find("usage: "), 0u);
}

TEST(SessionFaults, ARefusalCarriesItsTextInPrintableForm) {
  expect_handler_failure("refuses", Kind::refused, "bodies 3 and 5\\x0acoincide");
  expect_handler_failure("throws_number", Kind::refused, "the simulator failed and gave no reason");
}

TEST(SessionFaults, AMalformedHeaderIsNamed) {
  expect_malformed("prints", "what it sent is not a valid answer: \"hello\"");
  expect_malformed("other_id", "answered request 99 when asked 1");
  expect_malformed("other_version", "the message has protocol version 7, this program speaks 3");
  expect_malformed("other_kind", "answered with a request");
  expect_malformed("tiny_answer", "its answer has only 8 bytes");
  expect_malformed("long_refusal", "its refusal has 4097 bytes, at most 4096 are allowed");
}

TEST(SessionFaults, AnAnswerOfAnotherShapeIsNamed) {
  expect_malformed("fewer_bodies", "answered for 1 bodies when asked for 2");
  expect_malformed("more_bodies", "answered for 1000 bodies when asked for 2");
  expect_malformed("more_states", "answered with 2 states when asked for 1");
  expect_malformed("no_accelerations", "sent no accelerations though they were asked for");
  expect_malformed("other_size", "its answer has 8589934592 bytes where 176 were expected");
  expect_malformed("uncalled_jerks", "sent jerks that were not asked for");
  expect_malformed("hello_again", "it said hello twice");
  expect_malformed("extra_bytes", "it wrote more after its answer");
  expect_malformed("uncalled_accelerations", "sent accelerations that were not asked for",
                   long_request(2));
}

TEST(SessionFaults, AnOldAnswerIsNotTakenForANewOne) {
  Session session(test_program("broken_server"), {"repeats_first_answer"});
  session.ask(small_request(), 30);
  expect_failure(session, Kind::malformed_answer,
                 "answered request 1 when asked 2: an answer to an earlier request");
}

// Big, so that it cannot all be in the pipe when the program speaks.
TEST(SessionFaults, AnAnswerBeforeTheRequestIsNotTaken) {
  expect_malformed("answers_before_reading", "answered before it had the whole request",
                   long_request(100000));
}

// The answer to the next request, sent along with this one's: either question may find it.
TEST(SessionFaults, AnAnswerInAdvanceIsNotTaken) {
  Session session(test_program("broken_server"), {"answers_future_id"});
  try {
    session.ask(small_request(), 30);
    ::usleep(100000);
    expect_failure(session, Kind::malformed_answer, "answered before it had the whole request");
  } catch (const SessionError& fault) {
    EXPECT_STREQ(fault.what(), "it wrote more after its answer");
  }
}

TEST(SessionFaults, AfterAFaultTheNextQuestionIsAnswered) {
  Session session = session_with("honest");
  EXPECT_EQ(failure_of(session, small_request(), 0).kind, Kind::timed_out);
  EXPECT_EQ(session.ask(small_request(), 30).states, honest_answer(small_request()).states);
}

// Programs that are not the one to be talked to, or none at all.

TEST(HelloFaults, AnythingElseFirstIsNoHello) {
  expect_malformed("prints_first", "what it sent is not a valid hello: \"hello\"");
  expect_malformed("answers_first", "a hello was expected, but the message is an answer");
  expect_malformed("echoes", "a hello was expected, but the message is a request");
}

TEST(HelloFaults, AMalformedHelloIsNamed) {
  expect_malformed("hello_of_version_1",
                   "the message has protocol version 1, this program speaks 3");
  expect_malformed("hello_of_other_size", "its hello has 40 bytes where 208 were expected");
  expect_malformed("hello_with_odd_name",
                   "the name '\\x0aest' holds blanks, or bytes that are not printable ASCII");
  expect_fault("hello_cut", Kind::crashed,
               "exited with status 0 after 50 of 240 bytes of its hello");
}

TEST(HelloFaults, AProgramThatCannotServeSaysWhy) {
  expect_fault("ends_unable", Kind::crashed,
               "exited with status 2 before its hello: no device: where is it?");
}

TEST(HelloFaults, ASilentProgramIsNotWaitedForLongerThanAnAnswer) {
  for (const Transport transport : transports) {
    Session session(test_program("broken_server"), {"says_nothing"}, {.transport = transport});
    const Failure failure = failure_of(session, small_request(), 0.25);
    EXPECT_EQ(failure.kind, Kind::timed_out);
    EXPECT_EQ(failure.message, "no answer in time: before its hello");
  }
}

// What other programs do with --serve and our first request.
TEST(HelloFaults, ProgramsThatAreNoSimulatorAreSeenAtOnce) {
  Session ends("/bin/true");
  expect_failure(ends, Kind::crashed, "exited with status 0 before its hello");
  Session never_connects("/bin/true", {}, {.transport = Transport::unix_socket});
  expect_failure(never_connects, Kind::crashed, "exited with status 0 before its hello");
  Session prints("/bin/echo");
  expect_failure(prints, Kind::malformed_answer, "what it sent is not a valid hello: \"--serve\"");
  Session complains("/bin/cat");
  const Failure failure = failure_of(complains, small_request());
  EXPECT_EQ(failure.kind, Kind::crashed);
  EXPECT_EQ(failure.message.find("exited with status 1 before its hello: "), 0u) << failure.message;
  EXPECT_NE(failure.message.find("--serve"), std::string::npos) << failure.message;
}

TEST(HelloFaults, AnotherProgramIsRefused) {
  const std::pair<ExpectedProgram, const char*> expected[] = {
      {{.precision = Precision::single_precision},
       "it computes in double, where float was expected"},
      {{.part = "part1"}, "it is of 'test', where 'part1' was expected"},
      {{.name = "mine"}, "it is 'server', where 'mine' was expected"},
      {{.instruction_set = "avx512"},
       "it is for the instruction set 'avx2', where 'avx512' was expected"}};
  for (const auto& [program, message] : expected) {
    Session session(test_program("handler_server"), {"honest"}, {.expected = program});
    expect_failure(session, Kind::other_program, message);
    expect_failure(session, Kind::other_program, message);  // started again
    EXPECT_EQ(session.hello(), std::nullopt);
  }
}

TEST(HelloFaults, TheRightProgramIsTalkedTo) {
  Session session(test_program("handler_server"), {"honest"},
                  {.expected = {Precision::double_precision, "test", "server", "avx2"}});
  EXPECT_EQ(session.hello(), std::nullopt);
  EXPECT_EQ(session.ask(small_request(), 30).states, honest_answer(small_request()).states);
  EXPECT_EQ(session.hello(), honest_hello());
}

}  // namespace
}  // namespace nbody::protocol
