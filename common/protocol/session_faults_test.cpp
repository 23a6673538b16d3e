// What a session says of a program that does not answer as it should.
#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <fstream>

#include "protocol/test_sessions.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// A behaviour of fake_server, and how what is said begins.
struct Row {
  const char *name, *behaviour;
  Kind kind;
  const char* sentence;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.behaviour; }

const std::string spaces = "hello|receive|send~{" + std::string(40000, ' ') + "|wait";
constexpr Kind crashed = Kind::crashed, refused = Kind::refused, lacking = Kind::unsupported,
               malformed = Kind::malformed_answer;
const Row rows[] = {
    {"crashes", "crashes", crashed, "killed by signal 11 (Segmentation fault) before it an"},
    {"crashes_with_child", "crashes_with_child", crashed, "killed by signal 11 (Segmentatio"},
    {"exits", "exits", crashed, "exited with status 3 before it answered"},
    {"stops_mid_header", "hello|answer~12|exit", crashed,
     "exited with status 4 after 12 bytes of its answer"},
    {"stops_mid_answer", "hello|answer~120|exit", crashed,
     "exited with status 4 after 120 of 216 bytes of its answer"},
    {"closes_connection", "hello|receive|close|wait", crashed,
     "closed its connection and kept running before it answered"},
    {"no_such_behaviour", "?", crashed, "exited with status 2 before its hello: usage: fake"},
    {"ends_unable", "say~no device: where is it?\nmore\n|exit", crashed,
     "exited with status 4 before its hello: no device: where is it?"},
    {"hello_cut", "hello~50|exit", crashed, "exited with status 4 after 50 bytes of its hel"},

    {"refuses", "refuses", refused, "bodies 3 and 5\\x0acoincide \\xef\\xbf\\xbd"},
    {"refuses_by_value", "refuses_by_value", refused, "not today"},
    {"refuses_at_length", "refuses_at_length", refused, "\\x0a\\x0a"},
    {"forgets_state", "forgets_state", refused, "an answer holds at least one state"},
    {"lacks_it", "lacks_it", lacking, "bodies 3 and 5"},

    {"prints", "hello|answer~{~hello\n{", malformed,
     "what it sent is not a header in JSON: \"hello\""},
    {"long_header", spaces.c_str(), malformed, "the header is longer than 32768 bytes: \"{   "},
    {"other_id", "hello|answer~\"answer\":1,~\"answer\":99,", malformed,
     "answered request 99 when asked 1"},
    {"extra_bytes", "hello|answer~\n~\nx", malformed, "it wrote more after its answer"},
    {"fewer_bodies", "hello|answer~\"n\":2~\"n\":1", malformed,
     "answered for 1 bodies when asked for 2"},
    {"more_bodies", "hello|answer~\"n\":2~\"n\":1000", malformed,
     "answered for 1000 bodies when asked for 2"},
    {"more_states", "hello|answer~\"states\":1~\"states\":2", malformed,
     "answered with 2 states when asked for 1"},
    {"no_accelerations", "hello|answer~\"accelerations\":true~\"accelerations\":false", malformed,
     "sent no accelerations though they were asked for"},
    {"uncalled_jerks", "hello|answer~\"jerk\":false~\"jerk\":true", malformed,
     "sent jerks that were not asked for"},
    {"hello_of_version_3", "send~NBODYLAB\3|wait", malformed,
     "what it sent is not a header in JSON: \"NBODYLAB\\x03\""},
    {"hello_with_odd_name", "hello~test~te\\nst", malformed,
     "\"part\" is 'te\\x0ast': blanks, and bytes"},
    {"hello_with_more", "hello~\n~\nx|wait", malformed, "it wrote more after its hello"},
};

class Faults : public testing::TestWithParam<Row> {};

TEST_P(Faults, GetTheirSentence) {
  Session session = session_with(GetParam().behaviour);
  const auto [kind, message] = failure_of(session);
  EXPECT_EQ(kind, GetParam().kind) << message;
  EXPECT_EQ(message.find(GetParam().sentence), 0u) << message;
}

TEST(Fault, TheSignalThatKilledTheProgramIsKnown) {
  for (const auto& [behaviour, signal] : {std::pair{"crashes", SIGSEGV}, {"exits", 0}}) {
    Session session = session_with(behaviour);
    try {
      session.ask(small_request(), 20);
      ADD_FAILURE() << behaviour;
    } catch (const SessionError& fault) {
      EXPECT_EQ(fault.signal, signal) << fault.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Faults, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Fault, AProgramThatCannotStartSaysWhy) {
  const std::string file = testing::TempDir() + "no_program" + std::to_string(::getpid()),
                    script = file + "_either";
  for (const std::string& name : {file, script}) std::ofstream(name) << "not a program";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const std::pair<std::string, const char*> programs[] = {
      {"/nowhere/at/all", "No such file or directory"},
      {"/tmp", "Permission denied"},
      {file, "Permission denied"},
      {script, "Exec format error"}};
  for (const auto& [program, why] : programs) {
    Session session(program);
    const auto [kind, message] = failure_of(session);
    EXPECT_EQ(kind, Kind::not_started);
    EXPECT_EQ(message, "cannot start " + program + ": " + why);
  }
  for (const std::string& name : {file, script}) std::filesystem::remove(name);
}

TEST(Fault, NoAnswerInTimeIsReportedInTime) {
  const std::pair<const char*, const char*> programs[] = {
      {"wait", "no answer in time: before its hello"},
      {"hangs", "no answer in time: before it answered"},
      {"hello|listen no more|wait", "no answer in time: before it "},
      {"hello|receive|send~{|wait", "no answer in time: after 1 bytes of its answer"},
      {"hello|trickle", "no answer in time: after "}};
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
  Session session = session_with("hello|listen no more|wait");
  const std::clock_t before = std::clock();
  EXPECT_EQ(failure_of(session, long_request(100000), 1).kind, Kind::timed_out);
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 2);
}

// After a first answer that is right: the second question finds the fault.
TEST(Fault, AnAnswerBeforeItIsTaken) {
  const std::pair<const char*, const char*> programs[] = {
      {"hello|answer|exit", "exited with status 4 "},
      {"hello|answer|receive|again",
       "answered request 1 when asked 2: an answer to an earlier request"},
      {"hello|answer|rest|again|wait", "answered before it was asked"}};
  for (const auto& [behaviour, sentence] : programs) {
    Session session = session_with(behaviour);
    EXPECT_EQ(session.ask(small_request(), 30).states, honest_answer(small_request()).states);
    ::usleep(200000);  // what comes unasked is there
    const std::string message = failure_of(session).message;
    EXPECT_EQ(message.find(sentence), 0u) << message;
  }
}

// Big, so that the socket cannot hold all of it when the program speaks.
TEST(Fault, AnAnswerBeforeTheRequestIsNotTaken) {
  Session early = session_with("hello|unasked|wait");
  const auto [kind, message] = failure_of(early, long_request(100000));
  EXPECT_EQ(kind, Kind::malformed_answer) << message;
  EXPECT_NE(message.find(message[0] == 'i' ? "it wrote more" : "answered before"), message.npos);
  // The answer to the next request, sent along with this one's: either question may find it.
  Session ahead = session_with("hello|answer ahead|wait");
  std::string said = failure_of(ahead).message;
  const bool at_once = said != nothing_wrong;
  if (!at_once) said = failure_of(ahead).message;
  EXPECT_EQ(said, at_once ? "it wrote more after its answer" : "answered before it was asked");
}

TEST(Fault, AnotherProgramIsRefused) {
  Session session(fake_server(), {"honest"}, {.expected = {.name = "mine"}});
  for (int k = 0; k < 2; ++k) {  // started again
    const auto [kind, message] = failure_of(session);
    EXPECT_EQ(kind, Kind::other_program);
    EXPECT_EQ(message, "it is 'fake', where 'mine' was expected");
    EXPECT_EQ(session.hello(), std::nullopt);
  }
}

TEST(Fault, ProgramsThatAreNoSimulatorAreSeenAtOnce) {
  for (const auto& [program, said] : {std::pair("/bin/true", ""), {"/bin/echo", ": --serve"}}) {
    Session session(program);
    EXPECT_EQ(failure_of(session).message,
              std::string("exited with status 0 before its hello") + said);
  }
}

TEST(Fault, AfterOneTheNextQuestionIsAnswered) {
  Session session = session_with("honest");
  EXPECT_EQ(failure_of(session, small_request(), 0).kind, Kind::timed_out);
  EXPECT_EQ(failure_of(session).message, nothing_wrong);
  for (const auto& [behaviour, goes_on] : {std::pair("refuses", false), {"lacks_it", true}}) {
    Session again = session_with(behaviour);
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(failure_of(again).kind, goes_on ? Kind::unsupported : Kind::refused);
      EXPECT_EQ(again.hello().has_value(), goes_on);
    }
  }
}

// Of a hello and of what was expected.
struct Difference {
  ExpectedProgram expected;
  const char* sentence;
};
const Difference differences[] = {
    {{}, ""},
    {{Precision::double_precision, "test", "fake", "avx2"}, ""},
    {{.precision = Precision::single_precision}, "it computes in double, where float was expected"},
    {{.part = "part1"}, "it is of 'test', where 'part1' was expected"},
    {{.name = "mine"}, "it is 'fake', where 'mine' was expected"},
    {{.instruction_set = "avx512"},
     "it is for the instruction set 'avx2', where 'avx512' was expected"},
    {{.instruction_set = ""}, "it is for the instruction set 'avx2', where '' was expected"},
    {{.ranks = 4},
     "it runs as 1 ranks, where 4 were expected: is it linked with the MPI that starts it?"}};

TEST(ExpectedProgram, EveryFieldCanDiffer) {
  for (const auto& [expected, sentence] : differences) {
    EXPECT_EQ(difference(honest_hello(), expected), sentence);
  }
}

TEST(Launch, RanksAndTheSocketAreFilledIn) {
  const Launch none, ranks{{"/bin/mpiexec", "-n", "RANKS"}, 7}, box{{"/bin/box", "SOCKET"}, 4};
  using Words = std::vector<std::string>;
  EXPECT_FALSE(none.has_ranks() || box.has_ranks());
  EXPECT_TRUE(ranks.has_ranks());
  EXPECT_EQ(none.filled(), Words());
  EXPECT_EQ(ranks.filled("/tmp/s"), (Words{"/bin/mpiexec", "-n", "7"}));
  EXPECT_EQ(box.filled("/tmp/s"), (Words{"/bin/box", "/tmp/s"}));
}

}  // namespace
}  // namespace nbody::protocol
