#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/seen.hpp"
#include "check/test_answers.hpp"
#include "core/text_file.hpp"

namespace nbody::check {
namespace {

constexpr auto in_float = Precision::single_precision;

// The seeds: every mistake shows in three cases or more of the two; nothing else depends on them.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> both = make_cases({.seed = 9, .largest_n = 130});
    for (Case& test : make_cases({.seed = 10, .largest_n = 130})) both.push_back(std::move(test));
    return both;
  }();
  return all;
}

bool is_asked(const Mistake& row, const Case& test) {
  const bool of_runs =
      row.steps != nullptr || row.adds_time_in_float || row.adaptive.loop != AdaptiveLoop::right;
  return concerns(row, test) && (of_runs || !is_in_one_go(test)) && is_quick(test, of_runs);
}

Verdict verdict_of(const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, test::standard(), row);
  return row.verdict;
}

// Of a row of the table that is a diagnosis.
class Rows : public testing::TestWithParam<Mistake> {};

std::vector<Mistake> diagnosed() {
  std::vector<Mistake> rows = mistakes();
  // Their numbers are beyond 130 bodies.
  std::erase_if(rows, [](const Mistake& row) {
    return row.only_a_program || row.name == std::string_view("bodies_end");
  });
  return rows;
}

// Its program is wrong in some cases; in those of the most basic group, a number that the answer
// proposes gives it again.
TEST_P(Rows, ExplainTheirOwnAnswers) {
  std::vector<std::pair<const Case*, Answer>> wrong;
  for (const Case& test : cases()) {
    const bool of_a_later_group = !wrong.empty() && test.group > wrong.front().first->group;
    if (of_a_later_group || !is_asked(GetParam(), test)) continue;
    auto answer = answer_with(GetParam(), test.request, in_float);
    if (!answer || verdict_of(test, *answer) == Verdict::passed) continue;
    if (!wrong.empty() && test.group < wrong.front().first->group) wrong.clear();
    if (wrong.size() < 8) wrong.emplace_back(&test, *std::move(answer));
  }
  std::size_t explained = 0;
  for (const auto& [test, answer] : wrong) {
    const Failure failure{test, answer, 0, 0, 0, false};
    const Seen seen(failure, test::standard());
    const std::vector<double> numbers = numbers_of(GetParam().number, seen);
    explained +=
        std::any_of(numbers.begin(), numbers.end(), [&, &of = *test, &got = answer](double x) {
          const auto again = answer_with(with_number(GetParam(), x), of.request, in_float);
          return again && same_answer(of, got, *again, test::standard());
        });
  }
  EXPECT_GE(wrong.size(), 3u);
  EXPECT_GE(5 * explained, 3 * wrong.size()) << explained << " of " << wrong.size();
}

// The right program is right, and where the row's is wrong, the two differ; but for a case in which
// only rounding decides.
TEST_P(Rows, DoNotExplainTheRightAnswer) {
  const Mistake right{.name = "right", .code = "", .says = ""};
  std::size_t wrong = 0, alike = 0;
  for (const Case& test : cases()) {
    if (wrong == 20 || !is_asked(GetParam(), test)) continue;
    const auto answer = answer_with(GetParam(), test.request, in_float);
    const auto as_it_should_be = answer_with(right, test.request, in_float);
    if (!answer || !as_it_should_be) continue;
    EXPECT_EQ(verdict_of(test, *as_it_should_be), Verdict::passed) << test.what;
    Row row;
    judge(test, *answer, test::standard(), row);
    if (row.verdict == Verdict::passed) continue;
    ++wrong;
    alike += same_answer(test, *as_it_should_be, *answer, test::standard(), row.error) ? 1 : 0;
  }
  EXPECT_GE(wrong, 1u);
  EXPECT_LE(5 * alike, wrong);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Rows, testing::ValuesIn(diagnosed()),
                         [](const auto& row) { return std::string(row.param.name); });

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

// CMake finds the rows by their names; each is a program that `./lab check wrong` judges.
TEST(Mistakes, AreAllInTheManifestAndTheDocument) {
  const auto manifest = nlohmann::json::parse(read_text_file(LAB_MANIFEST));
  std::vector<std::string> rows, names;
  for (const auto& row : manifest["implementations"]) {
    if (row["target"] == "wrong_wrong") rows.push_back(row["name"]);
  }
  for (const Mistake& mistake : mistakes()) names.emplace_back(mistake.name);
  EXPECT_EQ(rows, names);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_NE(read_text_file(CHECKING_DOCUMENT).find(markdown_table()), std::string::npos)
      << "docs/mistakes.md needs what `build/release/bin/wrong/wrong --list` prints";
}

}  // namespace
}  // namespace nbody::check
