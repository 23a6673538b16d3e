#include "check/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "check/case_tables.hpp"
#include "command_line/test_output.hpp"

namespace nbody::check {
namespace {

using command_line::test::contains;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Row passed(std::size_t n = 7) {
  return {Group::forces, "equal masses", n, 1, false, 1e-6, 1e-5, Verdict::passed};
}
Row failed(std::size_t n, const std::string& diagnosis) {
  return {Group::forces,   "equal masses", n,        1, false, 1e-2, 1e-5,
          Verdict::failed, "some detail",  diagnosis};
}
Row not_run() {
  Row row = {Group::steps, "5 steps", 7, 1, false, infinity, 0, Verdict::not_run, "not asked"};
  row.answered = false;
  return row;
}

CheckResult result_of(const Rows& rows, const std::string& expect = "",
                      const std::string& skipped = "") {
  return {{"part1", "mine", "", "mine", "", "", expect, "bin/part1/mine"}, skipped, rows};
}

TEST(AllPassed, NeedsEveryRowAndAtLeastOne) {
  EXPECT_TRUE(all_passed({passed(), passed()}));
  EXPECT_FALSE(all_passed({passed(), failed(7, "")}));
  EXPECT_FALSE(all_passed({passed(), not_run()}));
  EXPECT_FALSE(all_passed({}));
}

TEST(TellingRow, PrefersADiagnosisOfALargeEnoughSystemInSteps) {
  EXPECT_EQ(most_informative_row({passed(), not_run()}), nullptr);
  Rows rows = {passed(),       failed(2, ""),      failed(2, "small"),
               failed(17, ""), failed(17, "this"), failed(129, "later")};
  for (Row& row : rows) row.group = Group::steps;
  ASSERT_NE(most_informative_row(rows), nullptr);
  EXPECT_EQ(most_informative_row(rows)->diagnosis, "this");
  EXPECT_EQ(most_informative_row({rows[3], rows[2]})->diagnosis, "small");
}

TEST(TellingRow, OfForcesIsTheSmallestButNotOneBodyAlone) {
  EXPECT_EQ(most_informative_row({failed(129, "later"), failed(1, "alone"), failed(2, "this")})
                ->diagnosis,
            "this");
  EXPECT_EQ(most_informative_row({failed(17, ""), failed(2, "")})->n, 2u);
  EXPECT_EQ(most_informative_row({failed(2, ""), failed(17, "this")})->diagnosis, "this");
}

TEST(TellingRow, IsOfTheMostBasicStage) {
  Row drift = failed(129, "a run drifts"), step = failed(33, "Eq. 5"), force = failed(7, "");
  drift.group = Group::conservation;
  step.group = Group::steps;
  EXPECT_EQ(most_informative_row({drift, step, force})->group, Group::forces);
  EXPECT_EQ(most_informative_row({drift, step})->group, Group::steps);
  Row race = failed(1021, "right 2 of 3 times (a data race)?");
  race.group = Group::threads;
  race.answers_change = true;
  EXPECT_EQ(most_informative_row({drift, race, force})->group, Group::threads);
}

TEST(TellingRow, IgnoresTheDiagnosisOfWhatPassed) {
  Row odd = passed(17);
  odd.diagnosis = "none of your business";
  EXPECT_EQ(most_informative_row({odd, failed(2, "this")})->diagnosis, "this");
}

TEST(WorstShare, IsTheLargestErrorInUnitsOfItsLimit) {
  EXPECT_DOUBLE_EQ(worst_share({passed(), passed()}), 0.1);
  EXPECT_DOUBLE_EQ(worst_share({passed(), failed(7, "")}), 1000);
  EXPECT_EQ(worst_share({}), 0);
  Row exact = passed();
  exact.error = exact.limit = 0;
  EXPECT_EQ(worst_share({exact}), 0);
  for (const double error : {infinity, nan}) {
    Row broken = failed(7, "");
    broken.error = error;
    EXPECT_FALSE(std::isfinite(worst_share({passed(), broken, passed()})));
  }
}

TEST(Verdict, OfOrdinaryOnesSkippedOnesAndExhibits) {
  struct Case {
    Rows rows;
    std::string expect, skipped, verdict;
    bool as_expected;
  };
  const Row swapped = failed(7, "bodies 1 and 2: swapped");
  for (const Case& test :
       {Case{{passed()}, "", "", "passed", true},
        {{passed(), failed(7, "x")}, "", "", "FAILED", false},
        {{passed(), not_run()}, "", "", "FAILED", false},
        {{}, "", "", "FAILED", false},
        {{}, "", "needs gpu", "skipped: needs gpu", true},
        {{}, "swapped", "needs gpu", "skipped: needs gpu", true},
        {{passed(), swapped}, "swapped", "", "fails as expected", true},
        {{failed(7, "a data race")}, "swapped", "", "FAILED, unexpected diagnosis", false},
        {{passed()}, "swapped", "", "PASSED, but should fail", false},
        {{not_run()}, "swapped", "", "FAILED, unexpected diagnosis", false}}) {
    const CheckResult result = result_of(test.rows, test.expect, test.skipped);
    EXPECT_EQ(verdict_of(result), test.verdict);
    EXPECT_EQ(as_expected(result), test.as_expected) << test.verdict;
  }
}

TEST(Text, RowsAreCountedByWhatHappened) {
  const Rows rows = {passed(7), passed(17), failed(17, "x"), not_run()};
  const std::string text = rows_text(rows, false);
  EXPECT_TRUE(contains(text, "FAILED 1 of 3")) << text;
  EXPECT_TRUE(contains(text, "not run 1 of 1")) << text;
  EXPECT_FALSE(contains(text, "not finite")) << text;
  EXPECT_TRUE(contains(failure_text(rows), "1 of 4 cases fail, 1 were not run.")) << text;
  Row late = not_run();
  late.group = Group::forces;
  EXPECT_TRUE(contains(rows_text({failed(7, ""), late}, false), "FAILED 1 of 2, 1 not run"));
  const std::string all = rows_text(rows, true);
  EXPECT_TRUE(contains(all, "some detail")) << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 16);
}

// A first look takes one screen, however much is wrong.
TEST(Text, GroupsThenAFewOfWhatFailed) {
  EXPECT_EQ(rows_text({passed(), passed(17)}, false),
            "    what    cases  worst/limit  verdict\n"
            "    ------  -----  -----------  -------\n"
            "    forces      2         0.10  ok\n");
  Rows rows = {passed()};
  for (int k = 0; k < 9; ++k) {
    rows.push_back(failed(17, "x"));
    rows.back().group = Group::steps;
    rows.back().scene = std::to_string(k) + " steps";
  }
  const std::string text = rows_text(rows, false);
  EXPECT_TRUE(contains(text, "forces      1         0.10  ok\n")) << text;
  EXPECT_TRUE(contains(text, "FAILED 9 of 9")) << text;
  EXPECT_TRUE(contains(text, "steps: 2 steps")) << text;
  EXPECT_FALSE(contains(text, "steps: 3 steps")) << text;
  EXPECT_TRUE(contains(text, "steps: 6 more (-v)")) << text;
  EXPECT_FALSE(contains(text, "sum |a_ij|")) << text;
  EXPECT_TRUE(contains(rows_text(rows, true), "steps: 8 steps"));
}

TEST(Text, NaNIsNotForgotten) {
  Row broken = failed(7, "");
  broken.error = nan;
  const std::string text = rows_text({passed(), broken, passed()}, false);
  EXPECT_TRUE(contains(text, "not finite")) << text;
}

TEST(Text, FailureShowsTheTellingRow) {
  EXPECT_EQ(failure_text({passed()}), "");
  EXPECT_EQ(failure_text({passed(), failed(2, ""), failed(17, "swapped")}),
            "  2 of 3 cases fail. For example forces, equal masses, N = 17, seed 1:\n"
            "    some detail\n"
            "  diagnosis: swapped\n");
}

TEST(Text, ALongDiagnosisIsCutInTheTableAndWholeBelowIt) {
  std::string diagnosis = "threads";
  for (int k = 0; k < 30; ++k) diagnosis += " write to the same place";
  const Rows rows = {failed(7, diagnosis)};
  const std::string text = summary_text({result_of(rows)});
  EXPECT_TRUE(contains(text, "threads write to the same place")) << text;
  EXPECT_TRUE(contains(text, " ...\n")) << text;
  EXPECT_TRUE(contains(text, ": " + diagnosis + "\n")) << text;
  EXPECT_TRUE(contains(failure_text(rows), diagnosis));
  // Below a long table it would be overlooked.
  const std::string of_many = summary_text(std::vector<CheckResult>(5, result_of(rows)));
  EXPECT_FALSE(contains(of_many, diagnosis.substr(0, 70))) << of_many;
}

TEST(Text, SummarySaysHowMuchOfTheLimitIsUsed) {
  EXPECT_TRUE(contains(summary_text({result_of({passed()})}), " 0.10  passed"));
  Row huge = failed(7, "x");
  huge.error = 1e3;
  EXPECT_TRUE(contains(summary_text({result_of({huge})}), "> 10^6"));
  // Without a measure, but nothing that was sent is infinite.
  huge.error = infinity;
  EXPECT_TRUE(contains(summary_text({result_of({huge})}), "> 10^6"));
  huge.error = nan;
  EXPECT_TRUE(contains(summary_text({result_of({huge})}), "not finite"));
  huge.answered = false;
  huge.error = infinity;
  EXPECT_TRUE(contains(summary_text({result_of({huge})}), "no answer"));
}

TEST(Json, SaysWhatTheTextSays) {
  const auto json = nlohmann::json::parse(
      json_text({result_of({passed(), failed(17, "swapped")})}, "standard", "float", 5));
  EXPECT_EQ(json["tolerance"], "standard");
  EXPECT_EQ(json["precision"], "float");
  EXPECT_EQ(json["seed"], 5);
  const auto& mine = json["implementations"][0];
  EXPECT_EQ(mine["name"], "mine");
  EXPECT_EQ(mine["verdict"], "FAILED");
  EXPECT_EQ(mine["as_expected"], false);
  EXPECT_EQ(mine["cases"].size(), 2u);
  EXPECT_EQ(mine["cases"][1]["verdict"], "failed");
  EXPECT_EQ(mine["cases"][1]["diagnosis"], "swapped");
  EXPECT_EQ(mine["cases"][1]["n"], 17);
  EXPECT_EQ(mine["cases"][1]["error"], 1e-2);
}

TEST(Json, HasNullForWhatIsNotFinite) {
  for (const double error : {infinity, nan}) {
    Row row = failed(7, "");
    row.error = error;
    const auto json = nlohmann::json::parse(json_text({result_of({row})}, "standard", "float", 1));
    EXPECT_TRUE(json["implementations"][0]["cases"][0]["error"].is_null());
    EXPECT_TRUE(json["implementations"][0]["worst_share_of_limit"].is_null());
  }
}

// A submission chooses what its refusals and its file's name say.
TEST(Json, SurvivesHostileWords) {
  for (const std::string& words :
       {std::string("\xff\xfe\x80"), std::string("\0\x01\x1b[31m", 7), std::string("\"}]\\"),
        std::string("\xed\xa0\x80"), std::string("line\nline")}) {
    Row row = failed(7, words);
    row.detail = words;
    CheckResult result = result_of({row});
    result.entry.name = words;
    const std::string text = json_text({result}, "standard", "float", 1);
    nlohmann::json json;
    ASSERT_NO_THROW(json = nlohmann::json::parse(text)) << text;
    EXPECT_EQ(json["implementations"][0]["verdict"], "FAILED");
    EXPECT_EQ(json["implementations"][0]["cases"].size(), 1u);
  }
}

TEST(Report, ADiagnosisNamesTheProgram) {
  Rows rows(2);
  rows[0].diagnosis = "a race; ./lab check PART NAME --sanitize names the line";
  rows[1].diagnosis = "the sign of the force is wrong";
  name_the_program(rows, "part1 mine");
  EXPECT_EQ(rows[0].diagnosis, "a race; ./lab check part1 mine --sanitize names the line");
  EXPECT_EQ(rows[1].diagnosis, "the sign of the force is wrong");
}

}  // namespace
}  // namespace nbody::check
