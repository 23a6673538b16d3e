// What a session says of a program that does not answer as it should.
#include <gtest/gtest.h>

#include <cstring>
#include <ctime>
#include <fstream>

#include "protocol/test_sessions.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// A behaviour of fake_server, and how what is said begins.
struct Row {
  const char* behaviour;
  Kind kind;
  const char* sentence;
};
const Row rows[] = {
    {"crashes", Kind::crashed, "killed by signal 11 (Segmentation fault) before it answered"},
    {"crashes_with_child", Kind::crashed, "killed by signal 11 (Segmentation fault) before it"},
    {"exits", Kind::crashed, "exited with status 3 before it answered"},
    {"stops_mid_header", Kind::crashed, "exited with status 4 after 12 bytes of its answer"},
    {"stops_mid_answer", Kind::crashed, "exited with status 4 after 120 of 216 bytes of its"},
    {"closes_connection", Kind::crashed, "closed its connection and kept running before it"},
    {"no_such_behaviour", Kind::crashed, "exited with status 2 before its hello: usage: fake_s"},
    {"ends_unable", Kind::crashed, "exited with status 4 before its hello: no device: where is"},
    {"hello_cut", Kind::crashed, "exited with status 4 after 50 bytes of its hello"},

    {"refuses", Kind::refused, "bodies 3 and 5\\x0acoincide \\xef\\xbf\\xbd"},
    {"refuses_by_value", Kind::refused, "not today"},
    {"refuses_at_length", Kind::refused, "\\x0a\\x0a"},
    {"throws_number", Kind::refused, "the simulator failed and gave no reason"},
    {"forgets_state", Kind::refused, "an answer holds at least one state"},
    {"lacks_it", Kind::unsupported, "no kick"},

    {"prints", Kind::malformed_answer, "what it sent is not a header in JSON: \"hello\""},
    {"long_header", Kind::malformed_answer, "the header is longer than 32768 bytes: \"{   "},
    {"other_id", Kind::malformed_answer, "answered request 99 when asked 1"},
    {"missing_member", Kind::malformed_answer, "the header has no \"states\": {\"answer\":1"},
    {"extra_bytes", Kind::malformed_answer, "it wrote more after its answer"},
    {"fewer_bodies", Kind::malformed_answer, "answered for 1 bodies when asked for 2"},
    {"more_bodies", Kind::malformed_answer, "answered for 1000 bodies when asked for 2"},
    {"more_states", Kind::malformed_answer, "answered with 2 states when asked for 1"},
    {"no_accelerations", Kind::malformed_answer, "sent no accelerations though they were asked"},
    {"uncalled_jerks", Kind::malformed_answer, "sent jerks that were not asked for"},
    {"hello_again", Kind::malformed_answer, "the header has no \"answer\": {\"protocol\":4,"},
    {"prints_first", Kind::malformed_answer, "what it sent is not a header in JSON: \"hello\""},
    {"answers_first", Kind::malformed_answer, "the header has no \"protocol\": {\"answer\":7,"},
    {"hello_of_version_3", Kind::malformed_answer, "what it sent is not a header in JSON: \"NB"},
    {"hello_with_odd_name", Kind::malformed_answer, "\"part\" is 'te\\x0ast': blanks, and bytes"},
    {"hello_with_more", Kind::malformed_answer, "it wrote more after its hello"},
};

class Faults : public testing::TestWithParam<Row> {};

TEST_P(Faults, GetTheirSentence) {
  Session session = session_with(GetParam().behaviour);
  const auto [kind, message] = failure_of(session);
  EXPECT_EQ(kind, GetParam().kind) << message;
  EXPECT_EQ(message.substr(0, std::strlen(GetParam().sentence)), GetParam().sentence) << message;
}

INSTANTIATE_TEST_SUITE_P(Rows, Faults, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.behaviour); });

TEST(Fault, AProgramThatCannotStartSaysWhy) {
  const auto said_of = [](const std::string& program) {
    Session session(program);
    const auto [kind, message] = failure_of(session);
    EXPECT_EQ(kind, Kind::not_started);
    return message;
  };
  EXPECT_EQ(said_of("/nowhere/at/all"), "cannot start /nowhere/at/all: No such file or directory");
  EXPECT_EQ(said_of("/tmp"), "cannot start /tmp: Permission denied");
  const std::string file = testing::TempDir() + "no_program";
  std::ofstream(file) << "not a program";
  EXPECT_EQ(said_of(file), "cannot start " + file + ": Permission denied");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  EXPECT_EQ(said_of(file), "cannot start " + file + ": Exec format error");
  std::filesystem::remove(file);
}

TEST(Fault, NoAnswerInTimeIsReportedInTime) {
  const std::pair<const char*, const char*> programs[] = {
      {"says_nothing", "no answer in time: before its hello"},
      {"hangs", "no answer in time: before it answered"},
      {"listens_no_more", "no answer in time: before it "},
      {"starts_early", "no answer in time: after 1 bytes of its answer"},
      {"trickles", "no answer in time: after "}};
  for (const auto& [behaviour, sentence] : programs) {
    Session session = session_with(behaviour);
    const auto start = std::chrono::steady_clock::now();
    const auto [kind, message] = failure_of(session, small_request(), 0.25);
    EXPECT_EQ(kind, Kind::timed_out) << message;
    EXPECT_EQ(message.find(sentence), 0u) << message;
    EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(240));
  }
}

TEST(Fault, WaitingForAProgramThatListensNoMoreTakesNoProcessorTime) {
  Session session = session_with("listens_no_more");
  const std::clock_t before = std::clock();
  EXPECT_EQ(failure_of(session, long_request(100000), 1).kind, Kind::timed_out);
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 2);
}

TEST(Fault, ARequestThatNobodyReadsEndsToo) {
  Session session = session_with("listens_no_more_and_exits");
  const auto [kind, message] = failure_of(session, long_request(100000));
  EXPECT_EQ(kind, Kind::crashed);
  EXPECT_EQ(message.find("exited with status 4 "), 0u) << message;
}

TEST(Fault, AnAnswerBeforeItIsTaken) {
  Session session = session_with("dies_after_an_answer");
  EXPECT_EQ(session.ask(small_request(), 30).states, honest_answer(small_request()).states);
  const auto [kind, message] = failure_of(session);
  EXPECT_EQ(kind, Kind::crashed);
  EXPECT_EQ(message.find("exited with status 4 "), 0u) << message;
}

TEST(Fault, AnOldAnswerIsNotTakenForANewOne) {
  Session session = session_with("repeats_first_answer");
  session.ask(small_request(), 30);
  EXPECT_EQ(failure_of(session).message,
            "answered request 1 when asked 2: an answer to an earlier request");
}

// Big, so that the socket cannot hold all of it when the program speaks.
TEST(Fault, AnAnswerBeforeTheRequestIsNotTaken) {
  Session early = session_with("answers_unasked");
  const auto [kind, message] = failure_of(early, long_request(100000));
  EXPECT_EQ(kind, Kind::malformed_answer) << message;
  EXPECT_NE(message.find(message[0] == 'i' ? "it wrote more" : "answered before"), message.npos);
  // The answer to the next request, sent along with this one's: either question may find it.
  Session ahead = session_with("answers_future_id");
  const std::string first = failure_of(ahead).message;
  if (first == "NOTHING WENT WRONG") {
    EXPECT_EQ(failure_of(ahead).message, "answered before it was asked");
  } else {
    EXPECT_EQ(first, "it wrote more after its answer");
  }
}

TEST(Fault, AnotherProgramIsRefused) {
  const std::pair<ExpectedProgram, const char*> expected[] = {
      {{.precision = Precision::single_precision},
       "it computes in double, where float was expected"},
      {{.part = "part1"}, "it is of 'test', where 'part1' was expected"},
      {{.name = "mine"}, "it is 'fake', where 'mine' was expected"},
      {{.instruction_set = "avx512"},
       "it is for the instruction set 'avx2', where 'avx512' was expected"}};
  for (const auto& [program, message] : expected) {
    Session session(fake_server(), {"honest"}, {.expected = program});
    EXPECT_EQ(failure_of(session).message, message);
    EXPECT_EQ(failure_of(session).kind, Kind::other_program);  // started again
    EXPECT_EQ(session.hello(), std::nullopt);
  }
  Session right(fake_server(), {"honest"},
                {.expected = {Precision::double_precision, "test", "fake", "avx2"}});
  EXPECT_EQ(right.ask(small_request(), 30).states, honest_answer(small_request()).states);
}

TEST(Fault, ProgramsThatAreNoSimulatorAreSeenAtOnce) {
  Session ends("/bin/true");
  EXPECT_EQ(failure_of(ends).message, "exited with status 0 before its hello");
  Session prints("/bin/echo");
  EXPECT_EQ(failure_of(prints).message, "exited with status 0 before its hello: --serve");
}

TEST(Fault, AfterOneTheNextQuestionIsAnswered) {
  Session session = session_with("honest");
  EXPECT_EQ(failure_of(session, small_request(), 0).kind, Kind::timed_out);
  EXPECT_EQ(session.ask(small_request(), 30).states, honest_answer(small_request()).states);
  Session refuses = session_with("refuses");
  EXPECT_EQ(failure_of(refuses).kind, Kind::refused);
  EXPECT_EQ(refuses.hello(), std::nullopt);  // it was ended
  EXPECT_EQ(failure_of(refuses).kind, Kind::refused);
  Session lacks = session_with("lacks_it");
  EXPECT_EQ(failure_of(lacks).kind, Kind::unsupported);
  EXPECT_EQ(lacks.hello(), honest_hello());  // it goes on
  EXPECT_EQ(failure_of(lacks).kind, Kind::unsupported);
}

}  // namespace
}  // namespace nbody::protocol
