#include "protocol/server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>

#include "protocol/child_process.hpp"
#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

struct Outcome {
  std::string output, errors, ending;
};

// Runs a server whose whole input is `bytes` (at most what a pipe holds). Its output is what
// follows the hello, which comes always and first.
Outcome serve_bytes(const std::string& bytes, const std::string& handler = "honest") {
  ChildProcess program(test_program("handler_server").string(), {"--serve", handler});
  write_fully(program.input, bytes);
  program.input.close();
  ::fcntl(program.output.number(), F_SETFL, 0);
  Outcome outcome;
  outcome.output = read_up_to(program.output, std::size_t{1} << 20);
  const std::string hello = format_hello(honest_hello());
  EXPECT_EQ(outcome.output.substr(0, hello.size()), hello);
  outcome.output.erase(0, hello.size());
  outcome.ending = program.stop(Clock::now() + std::chrono::seconds(20));
  outcome.errors = program.diagnostics();
  return outcome;
}

const std::string good = format_request(small_request());

TEST(Server, EndsWellAtTheEndOfTheInput) {
  const Outcome outcome = serve_bytes("");
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.ending, "exited with status 0");
}

TEST(Server, AnswersOneRequestAfterTheOther) {
  const Request request = small_request();
  const Outcome outcome = serve_bytes(good + with_u64(good, 16, 8));
  Answer answer = honest_answer(request);
  const std::string first = format_answer(answer);
  answer.id = 8;
  EXPECT_EQ(outcome.output, first + format_answer(answer));
  EXPECT_EQ(outcome.ending, "exited with status 0");
}

TEST(Server, AMalformedRequestIsRefusedUnderItsIdAndEndsTheProgram) {
  const Outcome outcome = serve_bytes(with_u32(good, 32, 5) + good);
  const Answer answer = parse_answer_frame(outcome.output);
  EXPECT_EQ(answer.id, 7u);
  EXPECT_EQ(answer.error, "precision is 5: 4 (float) or 8 (double) are allowed");
  EXPECT_EQ(outcome.errors, "--serve: " + answer.error + "\n");
  EXPECT_EQ(outcome.ending, "exited with status 2");
}

TEST(Server, AMessageThatIsNoRequestIsRefusedUnread) {
  const Outcome outcome =
      serve_bytes(with_u64(with_u32(good, 12, 2), 24, max_payload_size).substr(0, 32));
  EXPECT_EQ(parse_answer_frame(outcome.output).error,
            "a request was expected, but the message is an answer");
  EXPECT_EQ(outcome.ending, "exited with status 2");
}

TEST(Server, AnInputThatIsCutShortIsAnError) {
  const Outcome in_header = serve_bytes(good.substr(0, 31));
  EXPECT_EQ(in_header.output, "");
  EXPECT_EQ(in_header.ending, "exited with status 2");
  const Outcome in_payload = serve_bytes(good.substr(0, 100));
  EXPECT_EQ(parse_answer_frame(in_payload.output).error,
            "the input ended after 68 of 248 bytes of a request");
  EXPECT_EQ(in_payload.ending, "exited with status 2");
}

TEST(Server, ForeignBytesEndTheProgramWithoutAnAnswer) {
  const Outcome outcome = serve_bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors, "--serve: a message begins with NBODYLAB, this one does not\n");
  EXPECT_EQ(outcome.ending, "exited with status 2");
}

TEST(Server, ALostReaderEndsTheProgramNormally) {
  ChildProcess program(test_program("handler_server").string(), {"--serve"});
  program.output.close();
  write_fully(program.input, good);
  while (!program.has_ended()) ::usleep(1000);
  EXPECT_EQ(program.stop(Clock::now()), "exited with status 2");
  EXPECT_EQ(program.diagnostics(), "--serve: cannot write: Broken pipe\n");
}

// The largest memory of any program that this test has waited for, bytes.
std::int64_t most_memory_of_a_child() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return std::int64_t{1024} * usage.ru_maxrss;
}

TEST(Server, AnnouncedBytesTakeNoMemoryBeforeTheyCome) {
  const std::uint64_t announced = std::uint64_t{1} << 32;
  const Outcome outcome = serve_bytes(with_u64(good, 24, announced).substr(0, 200));
  EXPECT_EQ(parse_answer_frame(outcome.output).error,
            "the input ended after 168 of 4294967296 bytes of a request");
  EXPECT_GT(most_memory_of_a_child(), 1 << 20);  // something was measured
  EXPECT_LT(most_memory_of_a_child(), static_cast<std::int64_t>(announced / 2));
}

TEST(Server, WhatTheSimulatorPrintsGoesToStandardError) {
  const Outcome outcome = serve_bytes(good, "noisy");
  EXPECT_EQ(outcome.output, format_answer(honest_answer(small_request())));
  EXPECT_EQ(outcome.errors, "computing 2 bodies\nstill computing\nraw\n");
}

TEST(Server, WhateverTheHandlerThrowsIsARefusalAndServingGoesOn) {
  const std::pair<const char*, const char*> expected[] = {
      {"refuses", "bodies 3 and 5\ncoincide"},
      {"refuses_by_value", "not today"},
      {"throws_number", "the simulator failed and gave no reason"},
      {"forgets_state", "an answer holds at least one state"}};
  for (const auto& [handler, text] : expected) {
    const Outcome outcome = serve_bytes(good + good, handler);
    const std::size_t half = outcome.output.size() / 2;
    EXPECT_EQ(outcome.output.substr(0, half), outcome.output.substr(half)) << handler;
    const Answer answer = parse_answer_frame(outcome.output.substr(0, half));
    EXPECT_EQ(answer.id, 7u) << handler;
    EXPECT_EQ(answer.error, text) << handler;
    EXPECT_EQ(outcome.ending, "exited with status 0") << handler;
  }
}

}  // namespace
}  // namespace nbody::protocol
