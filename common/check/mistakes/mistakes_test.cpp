#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "check/experiments.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/test_answers.hpp"
#include "core/text_file.hpp"

namespace nbody::check {
namespace {

constexpr auto in_float = Precision::single_precision;

// The seeds: every mistake shows in three cases or more of the two; nothing else depends on them.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> both = make_cases({.seed = 11, .largest_n = 130});
    for (Case& test : make_cases({.seed = 12, .largest_n = 130})) both.push_back(std::move(test));
    return both;
  }();
  return all;
}

double error_of(const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, test::standard(), row);
  return row.verdict == Verdict::passed ? 0 : row.error;
}

class Rows : public testing::TestWithParam<Mistake> {};

std::vector<Mistake> diagnosed() {
  std::vector<Mistake> rows = mistakes();
  // Of so many steps two cases are not three.
  std::erase_if(rows, [](const Mistake& row) {
    return row.only_a_program || row.name == std::string_view("steps_in_two_bytes");
  });
  return rows;
}

// Its program is wrong in some cases, and the right one in none; in those of the most basic group,
// a number that the answer proposes gives it again, and the right answer is another one.
TEST_P(Rows, ExplainTheirOwnAnswers) {
  const Mistake right{};
  std::size_t wrong = 0, explained = 0, alike = 0;
  Group basic = Group::in_double;
  for (const Case& test : cases()) {
    if (test.group > basic || !is_quick(test)) continue;
    auto answer = answer_with(GetParam(), test.request, in_float);
    const double error = answer ? error_of(test, *answer) : 0;
    if (error == 0) continue;
    if (test.group < basic) wrong = explained = alike = 0;
    basic = test.group;
    if (wrong == 12) continue;
    ++wrong;
    const auto as_it_should_be = answer_with(right, test.request, in_float);
    ASSERT_TRUE(as_it_should_be);
    EXPECT_EQ(error_of(test, *as_it_should_be), 0) << test.what;
    alike += same_answer(test, *as_it_should_be, *answer, test::standard(), error) ? 1 : 0;
    const Failure failure{&test, *answer, 0, 0};
    for (const double x : numbers_of(GetParam().number, failure)) {
      Mistake with = GetParam();
      with.x = x;
      const auto again = answer_with(with, test.request, in_float);
      if (!again || !same_answer(test, *answer, *again, test::standard())) continue;
      ++explained;
      break;
    }
  }
  EXPECT_GE(wrong, 3u);
  EXPECT_GE(5 * explained, 3 * wrong) << explained << " of " << wrong;
  EXPECT_LE(5 * alike, wrong) << alike << " of " << wrong;
}

// Their errors add up along a path.
TEST(Approximate, AcceptsRawRoots) {
  const Tolerance approximate = tolerance_named("approximate", in_float);
  for (const Case& test : cases()) {
    if (!is_quick(test)) continue;
    const auto answer = answer_with(*mistake_named("raw_rsqrt"), test.request, in_float);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(is_right(approximate, test, *answer)) << test.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Rows, testing::ValuesIn(diagnosed()),
                         [](const auto& row) { return std::string(row.param.name); });

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
