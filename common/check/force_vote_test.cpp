#include <gtest/gtest.h>

#include "check/force_diagnosis.hpp"

namespace nbody::check {
namespace {

Row failed(std::size_t n, const Hypotheses& hypotheses) {
  Row row{"forces", "equal masses", n, 1, 1e-2, 1e-5, Verdict::failed};
  row.hypotheses = hypotheses;
  return row;
}
Row passed(std::size_t n) { return {"forces", "equal masses", n, 1, 1e-6, 1e-5, Verdict::passed}; }

Hypothesis local(const char* mistake) { return {mistake, mistake}; }
Hypothesis formula(const char* mistake) { return {mistake, mistake, Reach::most_cases}; }

std::vector<std::string> chosen(Rows rows) {
  choose_force_diagnosis(rows);
  std::vector<std::string> diagnoses;
  for (const Row& row : rows) diagnoses.push_back(row.diagnosis);
  return diagnoses;
}
using Diagnoses = std::vector<std::string>;

TEST(ForceVote, TheMistakeThatExplainsMostCasesIsTheRuns) {
  EXPECT_EQ(chosen({failed(7, {local("zeros"), local("tail")}), failed(17, {local("tail")}),
                    failed(129, {local("tail")}), passed(128)}),
            (Diagnoses{"tail", "tail", "tail", ""}));
}

TEST(ForceVote, TheFirstOfEqualOnes) {
  EXPECT_EQ(chosen({failed(7, {local("a"), local("b")}), failed(17, {local("b"), local("a")})}),
            (Diagnoses{"a", "a"}));
}

TEST(ForceVote, NoneIfNoneExplainsThreeQuarters) {
  const Row odd = failed(17, {local("a")}), none = failed(129, {});
  EXPECT_EQ(chosen({odd, odd, none}), (Diagnoses{"", "", ""}));
  EXPECT_EQ(chosen({odd, odd, odd, none}), (Diagnoses{"a", "a", "a", ""}));
}

TEST(ForceVote, SmallSystemsHaveNoVoteWhereLargerOnesFail) {
  EXPECT_EQ(chosen({failed(2, {local("factor")}), failed(2, {local("factor")}),
                    failed(2, {local("factor")}), failed(7, {local("power")})}),
            (Diagnoses{"", "", "", "power"}));
  EXPECT_EQ(chosen({failed(2, {local("factor")}), passed(7)}), (Diagnoses{"factor", ""}));
}

TEST(ForceVote, AFormulaIsContradictedByCasesThatPass) {
  const Rows rows = {failed(7, {formula("a")}),
                     passed(7),
                     passed(17),
                     passed(17),
                     passed(127),
                     passed(128),
                     passed(129)};
  EXPECT_EQ(chosen(rows).front(), "");
  EXPECT_EQ(chosen({rows.begin(), rows.begin() + 6}).front(), "a");
  Rows somewhere = rows;
  somewhere.front() = failed(7, {local("a")});
  EXPECT_EQ(chosen(somewhere).front(), "a");
}

TEST(ForceVote, OneCaseMayBeProofEnough) {
  const Row proof = failed(17, {{"race", "race", Reach::one_case}});
  EXPECT_EQ(chosen({failed(7, {local("a")}), failed(17, {local("a")}), proof}),
            (Diagnoses{"", "", "race"}));
}

TEST(ForceVote, BeyondItsLargestSizeAMistakeIsNotAsked) {
  Hypothesis weights = local("weights");
  weights.largest_n = 130;
  EXPECT_EQ(chosen({failed(129, {weights}), failed(1000, {}), failed(1021, {})}),
            (Diagnoses{"weights", "", ""}));
}

// The sentence is another case's.
TEST(ForceVote, EmptySentencesSupport) {
  EXPECT_EQ(chosen({failed(7, {{"tail", ""}}), failed(17, {local("tail")})}),
            (Diagnoses{"", "tail"}));
}

TEST(ForceVote, OtherDiagnosesStay) {
  Row died = failed(7, {});
  died.diagnosis = "died";
  died.answered = false;
  EXPECT_EQ(chosen({died, failed(17, {local("a")})}), (Diagnoses{"died", "a"}));
}

}  // namespace
}  // namespace nbody::check
