// What a session says of a program that does not answer as it should.
#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <fstream>

#include "session/test_session.hpp"

namespace nbody {
namespace {

using Kind = SessionError::Kind;

// A fault of bad_program, and how what is said begins.
struct Row {
  const char* fault;
  Kind kind;
  const char* sentence;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.fault; }

constexpr Kind died = Kind::died, late = Kind::late, malformed = Kind::malformed,
               refused = Kind::refused;
const Row rows[] = {
    {"crashes", died, "killed by signal 11 (Segmentation fault) before it answered"},
    {"crashes_with_child", died, "killed by signal 11 (Segmentation fault) before it answered"},
    {"exits", died, "exited with status 3 before it answered"},
    {"cannot_start", died, "exited with status 4 before its hello: no device: where is it?"},
    {"cut_hello", died, "exited with status 4 before its hello"},
    {"cut_header", died, "exited with status 4 after 5 bytes of its answer"},
    {"cut_answer", died, "exited with status 4 after 120 of 166 bytes of its answer"},
    {"closes", died, "closed its connection and kept running before it answered"},

    {"says_nothing", late, "no answer in time: before its hello"},
    {"hangs", late, "no answer in time: before it answered"},
    {"hangs_with_child", late, "no answer in time: before it answered"},
    {"begins", late, "no answer in time: after 1 bytes of its answer"},

    {"refuses", refused, "bodies 3 and 5\\x0acoincide \\xef\\xbf\\xbd"},
    {"refuses_at_length", refused, "xxx"},
    {"throws_number", refused, "the simulator failed and gave no reason"},
    {"lacks_it", refused, "no such integrator"},

    {"old_hello", malformed, "it speaks version 4 of the protocol, where 5 is needed"},
    {"very_old_hello", malformed, "it sent no line of JSON: NBODYLAB\\x03"},
    {"more_than_hello", malformed, "it wrote more than its hello"},
    {"prints_there", malformed, "it sent no line of JSON: step 1"},
    {"long_header", malformed, "it sent no line of JSON: {   "},
    {"other_id", malformed, "it answered request 99 when asked 1"},
    {"odd_refusal", malformed, "it refused, but has no word for why"},
    {"too_much", malformed, "it wrote more than its answer"},
};

class Faults : public testing::TestWithParam<Row> {};

TEST_P(Faults, GetTheirSentence) {
  Session session = session_with(GetParam().fault);
  const auto fault = fault_of(session, test_request(), GetParam().kind == late ? 0.5 : 30);
  EXPECT_EQ(fault.kind, GetParam().kind) << fault.what();
  EXPECT_TRUE(std::string(fault.what()).starts_with(GetParam().sentence)) << fault.what();
  EXPECT_EQ(fault.signal, fault.what()[0] == 'k' ? SIGSEGV : 0);
  // Only a program that lacks something is asked on.
  const bool lacks = GetParam().fault == std::string("lacks_it");
  EXPECT_EQ(fault.refusal == Refusal::unsupported, lacks);
  EXPECT_EQ(session.hello().has_value(), lacks);
}

INSTANTIATE_TEST_SUITE_P(Rows, Faults, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.fault); });

TEST(Fault, AProgramThatCannotStartSaysWhy) {
  const std::string file = testing::TempDir() + "no_program" + std::to_string(::getpid());
  std::ofstream(file) << "not a program";
  const std::pair<std::string, const char*> programs[] = {
      {"/nowhere/at/all", "No such file or directory"}, {file, "Permission denied"}};
  for (const auto& [program, why] : programs) {
    Session session(program);
    const SessionError fault = fault_of(session);
    EXPECT_EQ(fault.kind, died);
    EXPECT_EQ(fault.what(),
              "exited with status 127 before its hello: cannot start " + program + ": " + why);
    EXPECT_FALSE(session.has_greeted());
  }
  std::filesystem::remove(file);
}

TEST(Fault, OneThatListensNoMoreIsWaitedForWithoutProcessorTime) {
  Session session = session_with("deaf");
  const std::clock_t before = std::clock();
  EXPECT_EQ(fault_of(session, test_request(100000), 1).kind, late);
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 2);
  Session other = session_with("deaf_and_ends");
  const SessionError fault = fault_of(other, test_request(100000));
  EXPECT_TRUE(std::string(fault.what()).starts_with("exited with status 4 ")) << fault.what();
}

// Big, so that the socket cannot hold all of it when the program speaks.
TEST(Fault, AnAnswerBeforeTheRequestIsNotTaken) {
  Session early = session_with("unasked");
  const std::string said = fault_of(early, test_request(100000)).what();
  EXPECT_EQ(said, said.find("hello") == said.npos ? "it answered before it had the whole request"
                                                  : "it wrote more than its hello");
}

// The first answer is right: the second question finds the fault.
TEST(Fault, AnAnswerToAnotherRequestIsNotTaken) {
  for (const auto& [fault, sentence] : {std::pair{"again", "it answered request 1 when asked 2"},
                                        {"ahead", "it answered before it was asked"}}) {
    Session session = session_with(fault);
    const std::string first = said_by(session);
    ::usleep(200000);  // what comes unasked is there
    const std::string said = first.empty() ? said_by(session) : first;
    EXPECT_EQ(said, first.empty() ? sentence : "it wrote more than its answer");
  }
}

TEST(Fault, AnotherProgramIsNotAsked) {
  const std::pair<ExpectedProgram, const char*> programs[] = {
      {{Precision::double_precision, "test", "bad_program", "avx2", 1}, ""},
      {{.precision = Precision::single_precision}, "precision is 'double', where 'float'"},
      {{.part = "part1"}, "part is 'test', where 'part1'"},
      {{.name = "mine"}, "name is 'bad_program', where 'mine'"},
      {{.instruction_set = ""}, "instruction set is 'avx2', where ''"},
      {{.ranks = 4}, "number of ranks is '1', where '4'"}};
  for (const auto& [expected, difference] : programs) {
    Session session(bad_program(), {"none"}, {.expected = expected});
    const std::string said = said_by(session);
    EXPECT_EQ(said, *difference == 0 ? ""
                                     : std::string("it is another program: its ") + difference +
                                           " was expected");
  }
}

TEST(Fault, AfterOneTheNextQuestionIsAnswered) {
  Session session = session_with("none");
  for (const double at_once : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(fault_of(session, test_request(), at_once).kind, late);
  }
  EXPECT_EQ(said_by(session), "");
}

TEST(Launch, RanksAndTheSocketAreFilledIn) {
  const Launch none, ranks{{"/bin/mpiexec", "-n", "RANKS"}, 7}, box{{"/bin/box", "SOCKET"}, 4};
  using Words = std::vector<std::string>;
  EXPECT_FALSE(none.has_ranks() || box.has_ranks());
  EXPECT_TRUE(ranks.has_ranks());
  EXPECT_EQ(ranks.filled("/tmp/s"), (Words{"/bin/mpiexec", "-n", "7"}));
  EXPECT_EQ(box.filled("/tmp/s"), (Words{"/bin/box", "/tmp/s"}));
}

}  // namespace
}  // namespace nbody
