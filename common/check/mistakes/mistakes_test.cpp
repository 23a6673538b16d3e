#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "check/fitters.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"
#include "check/test_answers.hpp"
#include "core/text_file.hpp"

namespace nbody::check {
namespace {

constexpr auto in_float = Precision::single_precision;

// The seed: one in which every mistake shows in three cases or more; nothing else depends on it.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = make_cases({.seed = 9, .largest_n = 130});
  return all;
}

// The rows of the table with a sentence of their own, or those that a fitter finds, but for some.
std::vector<Mistake> mistakes_found(bool by_fitter, const std::set<std::string>& others = {}) {
  std::vector<Mistake> found = mistakes();
  std::erase_if(found, [&](const Mistake& mistake) {
    return (mistake.fitted != nullptr) != by_fitter || others.count(mistake.name) > 0;
  });
  return found;
}

// Its own answer gets its sentence, and the right answer does not, wherever the two differ.
class Synthesis : public testing::TestWithParam<Mistake> {};

TEST_P(Synthesis, ExplainsItsOwnAnswersOnly) {
  const Mistake right{.name = "right", .code = "", .diagnosis = ""};
  std::size_t wrong = 0;
  for (const Case& test : cases()) {
    if (test.n() > 40 || !concerns(GetParam(), test) || test.request.steps > 50) continue;
    const auto answer = answer_with(GetParam(), usual_width, test.request, in_float);
    const auto as_should_be = answer_with(right, usual_width, test.request, in_float);
    if (!answer || !as_should_be) continue;
    EXPECT_TRUE(same_answer(test, *answer, *answer, test::standard())) << test.what;
    Row right_row, row;
    judge(test, *as_should_be, test::standard(), right_row);
    EXPECT_EQ(right_row.verdict, Verdict::passed) << test.what << right_row.detail;
    judge(test, *answer, test::standard(), row);
    const bool differs = !same_answer(test, *as_should_be, *answer, test::standard());
    wrong += differs && row.verdict == Verdict::failed ? 1 : 0;
  }
  EXPECT_GE(wrong, 3u);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Synthesis,
                         testing::ValuesIn(mistakes_found(/*by_fitter=*/false)),
                         [](const auto& row) { return std::string(row.param.name); });

// What a wrong answer may get from fitters, and of cases of its own kind.
std::vector<Cause> causes_of(const Case& test, const Answer& answer) {
  std::vector<Cause> causes = {test.alone};
  Hypotheses found;
  if (test.request.steps > 0) {
    found = fitted_step_mistakes(test, answer, test::standard());
  } else if (test.request.accelerations) {
    const Scene scene = scene_of(test.request);
    const WrongForces wrong{scene, test.reference(), answer.accelerations};
    causes.push_back({"not_finite", diagnose_not_finite(wrong)});
    if (!causes.back().is_known()) found = fitted_force_mistakes(wrong, test::standard().force);
  }
  for (const Hypothesis& one : found) causes.push_back(one.cause);
  return causes;
}

class Fitters : public testing::TestWithParam<Mistake> {};

TEST_P(Fitters, HaveItsSentence) {
  std::size_t wrong = 0, said = 0;
  for (const Case& test : cases()) {
    if (test.request.jerk || !test.request.setting.integrator.empty()) continue;
    const bool about_long_runs = GetParam().steps != nullptr || GetParam().adds_time_in_float;
    if (said == 3 || (test.request.steps > 50 && !about_long_runs)) continue;
    const auto answer = answer_with(GetParam(), usual_width, test.request, in_float);
    if (!answer) continue;
    Row row;
    judge(test, *answer, test::standard(), row);
    if (row.verdict == Verdict::passed) continue;
    ++wrong;
    const auto causes = causes_of(test, *answer);
    said += std::any_of(causes.begin(), causes.end(), [](const Cause& cause) {
      return is(cause, GetParam().fitted) &&
             cause.sentence.find(GetParam().diagnosis) != std::string::npos;
    });
  }
  EXPECT_GE(said, std::min<std::size_t>(wrong, 3)) << wrong;
  EXPECT_GT(wrong, 0u);
}

// The others need the program for double, or more bodies.
INSTANTIATE_TEST_SUITE_P(Mistakes, Fitters,
                         testing::ValuesIn(mistakes_found(
                             /*by_fitter=*/true, {"guard_lost_in_float", "gmm_overflow",
                                                  "distance_sixth", "capacity"})),
                         [](const auto& row) { return std::string(row.param.name); });

// Of an integrator's adaptive steps: a wrong kick() makes no wrong length.
TEST(Mistakes, OfTheLengthOfAStepAreKnownFromOthers) {
  for (const auto& [name, wrong_length] :
       {std::pair("half_kick", false), std::pair("adaptive_too_large", true)}) {
    std::size_t failed = 0;
    for (const Case& test : cases()) {
      if (test.group != Group::integrators || !test.request.adaptive || test.n() < 7) continue;
      const auto answer = answer_with(*mistake_named(name), usual_width, test.request, in_float);
      if (!answer) continue;
      Row row;
      judge(test, *answer, test::standard(), row);
      if (row.verdict == Verdict::passed) continue;
      ++failed;
      EXPECT_EQ(row.wrong_length, wrong_length) << name << ": " << test.what << row.detail;
    }
    EXPECT_GE(failed, 3u) << name;
  }
}

// Without a jerk of its own a mistaken simulator refuses, which must not speak against a wrong
// kick.
TEST(Mistakes, SayNothingAboutSchemesThatNeedAJerk) {
  std::size_t asked = 0;
  for (const Case& test : cases()) {
    if (test.request.setting.integrator != "hermite4") continue;
    ++asked;
    EXPECT_FALSE(concerns(*mistake_named("half_kick"), test)) << test.what;
  }
  EXPECT_GT(asked, 0u);
}

TEST(Mistakes, AreWholeRows) {
  std::set<std::string> names;
  for (const Mistake& mistake : mistakes()) {
    EXPECT_TRUE(names.insert(mistake.name).second) << mistake.name << " twice";
    EXPECT_NE(*mistake.code, 0) << mistake.name;
    EXPECT_NE(*mistake.diagnosis, 0) << mistake.name;
  }
}

// CMake finds the rows by their names; each is a program that `./lab check wrong` judges.
TEST(Mistakes, AreAllInTheManifest) {
  const auto manifest = nlohmann::json::parse(read_text_file(LAB_MANIFEST));
  std::vector<std::string> rows, names;
  for (const auto& row : manifest["implementations"]) {
    if (row["target"] == "wrong_wrong") rows.push_back(row["name"]);
  }
  for (const Mistake& mistake : mistakes()) names.emplace_back(mistake.name);
  EXPECT_EQ(rows, names);
}

TEST(Mistakes, AreListedInTheDocument) {
  EXPECT_NE(read_text_file(CHECKING_DOCUMENT).find(markdown_table()), std::string::npos)
      << "docs/checking.md needs what `build/release/bin/wrong/wrong --list` prints";
}

TEST(Mistakes, AreFoundByName) {
  EXPECT_STREQ(mistake_named("weak")->name, "weak");
  EXPECT_EQ(mistake_named("no such"), nullptr);
}

}  // namespace
}  // namespace nbody::check
