// The attempt program as a child process, with simulators that are right and wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "check/test_manifest.hpp"
#include "command_line/test_output.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::attempt {
namespace {

using command_line::test::contains;

class AttemptProgram : public testing::Test {
 protected:
  AttemptProgram() {
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&](const char* name, const char* program, const char* needs = "") {
      rows.push_back(check::test::manifest_row("zoo", name, program));
      if (*needs != 0) rows.back()["needs"] = {needs};
      rows.back()["flags"] = {"-O3"};
    };
    add("naive", NAIVE_PROGRAM);
    add("mine", THIRD_LAW_PROGRAM);
    add("loud", LOUD_PROGRAM);
    add("rough", WRONG_PROGRAM);
    rows.back()["arguments"] = {"--mistake", "raw_rsqrt"};
    add("crash", CRASHING_PROGRAM);
    add("needy", NAIVE_PROGRAM, "no_such_feature");
    add("missing", "/no/such/program");
    write_text(folder / "manifest.json", check::test::manifest_of(rows).dump());
  }

  Outcome attempt(std::vector<std::string> words) const {
    words.insert(words.begin(), {ATTEMPT_PROGRAM, "zoo"});
    words.insert(words.end(), {"--manifest", folder / "manifest.json", "--json",
                               folder / "row.json", "--wait", "30"});
    return Command(words).wait();
  }
  // On a machine that never has the cores there is a row, and nothing false in it.
  bool was_too_busy(const Outcome& run) const {
    if (row()["verdict"] != "no verdict: the machine was busy") return false;
    EXPECT_TRUE(contains(run.out, "  busy      ")) << run.out;
    for (const char* number : {"measured", "lower", "upper", "times_naive", "interactions_per_s"}) {
      EXPECT_FALSE(row().contains(number)) << number;
    }
    return true;
  }
  nlohmann::json row() const { return nlohmann::json::parse(text_of(folder / "row.json")); }

  const TestFolder folder;
};

TEST_F(AttemptProgram, UsageErrorsAreOneLineAndLeaveNothing) {
  const auto before = folder.contents();
  expect_refusal(attempt({"mine"}), "--expect", "try");
  expect_refusal(attempt({"--expect", "2"}), "required", "try");
  expect_refusal(attempt({"nobody", "--expect", "2"}), "no implementation 'nobody'", "try");
  expect_refusal(attempt({"needy", "--expect", "2"}), "needs no_such_feature", "try");
  expect_refusal(attempt({"missing", "--expect", "2"}), "not built", "try");
  expect_refusal(attempt({"mine", "--expect", "2", "--threads", "0"}), "--threads", "try");
  expect_refusal(attempt({"mine", "--expect", "2", "-n", "1"}), "-n needs a whole number", "try");
  EXPECT_EQ(folder.contents(), before);
}

// Every attempt costs seconds, so each of them is asked much.
TEST_F(AttemptProgram, BesideTheNaive) {
  const Outcome first = attempt({"mine", "--expect", "100", "--threads", "1", "--vdt"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(contains(first.out, "zoo/mine: right")) << first.out;
  if (was_too_busy(first)) return;
  EXPECT_TRUE(contains(first.out, "expected  100.00 x naive (15 % more or less is as expected)\n"))
      << first.out;
  // On a machine that others use, the noise may hide even a factor of two.
  const std::string verdict = row()["verdict"];
  EXPECT_TRUE(verdict == "less than expected" || verdict == "no difference beyond the spread" ||
              verdict == "too noisy to tell")
      << first.out;
  EXPECT_TRUE(contains(first.out, "verdict   " + verdict)) << first.out;
  const std::string conditions = "2000 bodies, adaptive step, float, 1 thread, flags -O3";
  EXPECT_TRUE(contains(first.out, "timed with " + conditions + "\n")) << first.out;
  EXPECT_FALSE(contains(first.out, "note ")) << first.out;
  const nlohmann::json told = {{"expected", 100},
                               {"n", 2000},
                               {"step", "adaptive"},
                               {"threads", "1"},
                               {"flags", "-O3"},
                               {"device", ""},
                               {"scene", "plummer"},
                               {"precision", "float"},
                               {"estimated", false},
                               {"conditions", conditions},
                               {"program", THIRD_LAW_PROGRAM}};
  for (const auto& [key, value] : told.items()) EXPECT_EQ(row()[key], value) << key;
  const nlohmann::json checked = row()["check"]["implementations"][0];  // as ./lab check says it
  EXPECT_EQ(checked["verdict"], "passed");
  EXPECT_TRUE(contains(first.out, fmt::format("({} cases)", checked["cases"].size())));
  EXPECT_EQ(row()["measured"], row()["times_naive"]);
  EXPECT_GT(row()["interactions_per_s"], 0);
  EXPECT_LE(row()["lower"], row()["upper"]);
}

TEST_F(AttemptProgram, AWrongOneIsTimedAllTheSame) {
  const Outcome rough = attempt({"rough", "--expect", "1.5"});
  EXPECT_EQ(rough.status, 1);
  EXPECT_TRUE(contains(rough.out, "zoo/rough: WRONG in ")) << rough.out;
  const std::string verdict = row()["verdict"];
  EXPECT_EQ(verdict.rfind("wrong: ", 0), 0u) << verdict;
  EXPECT_TRUE(contains(verdict, "reciprocal square root")) << verdict;
  EXPECT_EQ(row()["check"]["implementations"][0]["verdict"], "FAILED");
  EXPECT_TRUE(!row().contains("measured") || row()["measured"] > 0);
}

TEST_F(AttemptProgram, ACrashHasNoNumbers) {
  const Outcome crash = attempt({"crash", "--expect", "1.5"});
  EXPECT_EQ(crash.status, 1);
  EXPECT_FALSE(contains(crash.out, "timed with")) << crash.out;
  EXPECT_FALSE(row().contains("measured"));
  EXPECT_TRUE(contains(row()["verdict"], "died")) << row()["verdict"];
}

TEST_F(AttemptProgram, WithoutItsProgramTheRowBeforeIsEstimated) {
  const Outcome again = attempt({"mine", "--expect", "0.01", "--before-row", "1", "--before-name",
                                 "mine", "--before-times-naive", "1.5", "--before-spread", "0.04"});
  EXPECT_EQ(again.status, 0) << again.err;
  if (was_too_busy(again)) return;
  EXPECT_TRUE(contains(again.out, "x row 1, mine")) << again.out;
  EXPECT_TRUE(contains(again.out, "measured  ~")) << again.out;
  EXPECT_TRUE(row()["estimated"]);
}

TEST_F(AttemptProgram, TheRowBeforeRunsAsItWasMeasured) {
  const Outcome chosen =
      attempt({"loud", "--expect", "1", "-n", "100", "--threads", "2", "--before-row", "4",
               "--before-name", "mine", "--before-program", THIRD_LAW_PROGRAM, "--before-threads",
               "1", "--before-times-naive", "1.5"});
  ASSERT_EQ(chosen.status, 0) << chosen.err;
  if (was_too_busy(chosen)) return;
  EXPECT_TRUE(contains(chosen.out, "timed with 100 bodies, fixed step")) << chosen.out;
  EXPECT_TRUE(contains(chosen.out, "\n             row 4 with 1 thread, as it was measured\n\n"))
      << chosen.out;
  const std::string conditions = row()["conditions"];
  EXPECT_TRUE(contains(conditions, "; row 4 with 1 thread, as it was measured")) << conditions;
  EXPECT_FALSE(row()["estimated"]);
  EXPECT_TRUE(contains(chosen.out, "it writes to standard output or error")) << chosen.out;
}

TEST_F(AttemptProgram, AGpuIsNamedAndNotItsThreads) {
  const Outcome small = attempt({"mine", "--expect", "1", "-n", "100", "--device", "Abacus"});
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_TRUE(contains(small.out, "timed with 100 bodies, fixed step, float, Abacus, flags -O3"))
      << small.out;
  EXPECT_EQ(row()["device"], "Abacus");
  EXPECT_EQ(row()["threads"], "");
}

}  // namespace
}  // namespace nbody::attempt
