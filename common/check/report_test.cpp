#include "check/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace nbody::check {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Row passed(std::size_t n = 7) {
  return {Group::forces, "equal masses", n, 1, false, 1e-6, 1e-5, Verdict::passed};
}
Row failed(std::size_t n, const std::string& sentence, Group group = Group::forces,
           double error = 1e-2) {
  return {group,    "equal masses",       n, 1, false, error, 1e-5, Verdict::failed,
          "detail", {"mistake", sentence}};
}
Row not_run() {
  Row row = {Group::steps, "5 steps", 7, 1, false, infinity, 0, Verdict::not_run, "not asked"};
  row.reply = Reply::missing;
  return row;
}
Row of_threads(Row row) {
  row.answers_change = true;
  return row;
}

CheckResult result_of(const Rows& rows, const std::string& expect = "",
                      const std::string& skipped = "") {
  return {{"part1", "mine", "", "mine", "", "", expect}, skipped, rows};
}

nlohmann::json json_of(const CheckResult& result) {
  const Asked asked{tolerance_named("standard", Precision::single_precision), "float", 5};
  return nlohmann::json::parse(result_json(asked, {result}))["implementations"][0];
}

TEST(AllPassed, NeedsEveryRowAndAtLeastOne) {
  EXPECT_TRUE(all_passed({passed(), passed()}));
  EXPECT_FALSE(all_passed({passed(), failed(7, "")}));
  EXPECT_FALSE(all_passed({passed(), not_run()}));
  EXPECT_FALSE(all_passed({}));
}

TEST(MostInformativeRow, IsOfTheMostBasicGroupWithADiagnosisAndEnoughBodies) {
  constexpr Group steps = Group::steps;
  Row odd = passed(17);
  odd.cause.sentence = "none of your business";
  const Row drift = failed(129, "a run drifts", Group::conservation);
  const Row step = failed(33, "Eq. 5", steps), force = failed(7, "a pull");
  const Row race = of_threads(failed(1021, "a data race", Group::threads));
  for (const auto& [rows, diagnosis] : std::vector<std::pair<Rows, std::string>>{
           {{failed(2, "", steps), failed(2, "small", steps), failed(17, "", steps),
             failed(17, "this", steps), failed(129, "later", steps)},
            "this"},
           {{failed(17, "", steps), failed(2, "small", steps)}, "small"},
           {{failed(129, "later"), failed(1, "alone"), failed(2, "this")}, "this"},
           {{failed(2, ""), failed(17, "this")}, "this"},
           {{drift, step, force}, "a pull"},
           {{drift, step}, "Eq. 5"},
           {{drift, race, force}, "a data race"},
           {{odd, failed(2, "this")}, "this"}}) {
    ASSERT_NE(most_informative_row(rows), nullptr);
    EXPECT_EQ(most_informative_row(rows)->cause.sentence, diagnosis);
  }
  EXPECT_EQ(most_informative_row({failed(17, ""), failed(2, "")})->n, 2u);
  EXPECT_EQ(most_informative_row({passed(), not_run()}), nullptr);
}

TEST(WorstShare, IsTheLargestErrorInUnitsOfItsLimit) {
  EXPECT_DOUBLE_EQ(worst_share({passed(), passed()}), 0.1);
  EXPECT_DOUBLE_EQ(worst_share({passed(), failed(7, "")}), 1000);
  EXPECT_EQ(worst_share({}), 0);
  Row exact = passed();
  exact.error = exact.limit = 0;
  EXPECT_EQ(worst_share({exact}), 0);
  for (const double error : {infinity, nan}) {
    EXPECT_EQ(worst_share({passed(), failed(7, "", Group::forces, error), passed()}), infinity);
  }
}

TEST(Verdict, OfOrdinaryOnesSkippedOnesAndExhibits) {
  struct Case {
    Rows rows;
    std::string expect, skipped, verdict;
    bool as_expected;
  };
  Row swapped = failed(7, "bodies 1 and 2 have each other's acceleration: swapped");
  swapped.cause.mistake = "order";
  for (const Case& test :
       {Case{{passed()}, "", "", "passed", true},
        {{passed(), failed(7, "x")}, "", "", "FAILED", false},
        {{passed(), not_run()}, "", "", "FAILED", false},
        {{}, "", "", "FAILED", false},
        {{}, "", "needs gpu", "skipped: needs gpu", true},
        {{}, "order", "needs gpu", "skipped: needs gpu", true},
        {{passed(), swapped}, "order", "", "fails as expected", true},
        {{passed(), swapped}, "swapped", "", "FAILED, unexpected diagnosis", false},
        {{failed(7, "order")}, "order", "", "FAILED, unexpected diagnosis", false},
        {{passed()}, "order", "", "PASSED, but should fail", false},
        {{not_run()}, "order", "", "FAILED, unexpected diagnosis", false}}) {
    const CheckResult result = result_of(test.rows, test.expect, test.skipped);
    EXPECT_EQ(verdict_of(result), test.verdict);
    EXPECT_EQ(as_expected(result), test.as_expected) << test.verdict;
  }
}

TEST(Json, HasEveryCaseAndTheOneThatSaysMost) {
  const auto mine = json_of(result_of({passed(), failed(17, "swapped"), not_run()}));
  EXPECT_EQ(mine["verdict"], "FAILED");
  EXPECT_EQ(mine["as_expected"], false);
  EXPECT_EQ(mine["most_informative_case"], 1);
  EXPECT_EQ(mine["sentence"], "swapped");
  ASSERT_EQ(mine["cases"].size(), 3u);
  EXPECT_EQ(mine["cases"][1]["verdict"], "failed");
  EXPECT_EQ(mine["cases"][1]["n"], 17);
  EXPECT_EQ(mine["cases"][1]["error"], 1e-2);
  EXPECT_EQ(mine["cases"][1]["answer"], "given");
  EXPECT_EQ(mine["cases"][1]["mistake"], "mistake");
  EXPECT_EQ(mine["cases"][2]["verdict"], "not run");
  EXPECT_EQ(mine["cases"][2]["answer"], "missing");
  EXPECT_TRUE(json_of(result_of({passed()}))["most_informative_case"].is_null());
}

TEST(Json, HasNullForWhatIsNotFinite) {
  for (const double error : {infinity, nan}) {
    const auto mine = json_of(result_of({failed(7, "", Group::forces, error)}));
    EXPECT_TRUE(mine["cases"][0]["error"].is_null());
    EXPECT_EQ(mine["cases"][0]["answer"], std::isnan(error) ? "not finite" : "given");
    EXPECT_TRUE(mine["worst_share_of_limit"].is_null());
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
    nlohmann::json mine;
    ASSERT_NO_THROW(mine = json_of(result)) << words;
    EXPECT_EQ(mine["verdict"], "FAILED");
    EXPECT_EQ(mine["cases"].size(), 1u);
  }
}

TEST(Report, ADiagnosisNamesTheProgram) {
  Rows rows(2);
  rows[0].cause.sentence = "a race; ./lab check PART NAME --sanitize names the line";
  rows[1].cause.sentence = "the sign of the force is wrong";
  name_the_program(rows, "part1 mine");
  EXPECT_EQ(rows[0].cause.sentence, "a race; ./lab check part1 mine --sanitize names the line");
  EXPECT_EQ(rows[1].cause.sentence, "the sign of the force is wrong");
}

}  // namespace
}  // namespace nbody::check
