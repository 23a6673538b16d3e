// Programs that are not the one to be talked to, or none at all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "protocol/session.hpp"
#include "protocol/test_messages.hpp"
#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

void expect_failure(Session& session, Kind kind, const std::string& message) {
  const auto start = std::chrono::steady_clock::now();
  const Failure failure = failure_of(session, small_request());
  EXPECT_EQ(failure.kind, kind) << failure.message;
  EXPECT_EQ(failure.message, message);
  // Of 30 s that an answer may take.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

void expect_fault(const std::string& fault, Kind kind, const std::string& message) {
  for (const Transport transport : {Transport::pipe, Transport::unix_socket}) {
    Session session(test_program("broken_server"), {fault}, {.transport = transport});
    expect_failure(session, kind, message);
  }
}

TEST(HelloFaults, AnythingElseFirstIsNoHello) {
  expect_fault("prints_first", Kind::malformed_answer,
               "what it sent is not a valid hello: \"hello\"");
  expect_fault("answers_first", Kind::malformed_answer,
               "a hello was expected, but the message is an answer");
  expect_fault("echoes", Kind::malformed_answer,
               "a hello was expected, but the message is a request");
}

TEST(HelloFaults, AMalformedHelloIsNamed) {
  expect_fault("hello_of_version_1", Kind::malformed_answer,
               "the message has protocol version 1, this program speaks 3");
  expect_fault("hello_of_other_size", Kind::malformed_answer,
               "its hello has 40 bytes where 208 were expected");
  expect_fault("hello_with_odd_name", Kind::malformed_answer,
               "the name '?est' holds blanks, or bytes that are not printable ASCII");
  expect_fault("hello_cut", Kind::crashed,
               "exited with status 0 after 50 of 240 bytes of its hello");
}

TEST(HelloFaults, AProgramThatCannotServeSaysWhy) {
  expect_fault("ends_unable", Kind::crashed,
               "exited with status 2 before its hello: no device: where is it?");
}

TEST(HelloFaults, ASilentProgramIsNotWaitedForLongerThanAnAnswer) {
  for (const Transport transport : {Transport::pipe, Transport::unix_socket}) {
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
