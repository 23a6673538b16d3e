#include "check/pace.hpp"

#include <gtest/gtest.h>

#include "check/check_scenes.hpp"

namespace nbody::check {
namespace {

std::vector<Case> forces_of(std::initializer_list<std::size_t> sizes) {
  std::vector<Case> cases;
  for (const std::size_t n : sizes) {
    cases.push_back(case_of(Group::forces, "", make_check_scene(CheckScene::equal_masses, n, 1)));
    cases.back().request.want_accelerations = true;
  }
  return cases;
}

TEST(TimeLeft, IsOfTheCasesThatAreNotAskedYet) {
  const std::vector<Case> cases = forces_of({50, 50, 50, 50});
  TimeLeft left(cases, 1);
  EXPECT_EQ(left.after(10), 0);  // nothing is known yet
  left.note(cases[0], true);
  EXPECT_EQ(left.after(0.5), 0);  // too early
  EXPECT_DOUBLE_EQ(left.after(10), 30 + 1);
  left.note(cases[1], false);  // left out: that costs no time
  EXPECT_DOUBLE_EQ(left.after(10), 20 + 1);
  left.note(cases[2], true);
  left.note(cases[3], true);
  EXPECT_DOUBLE_EQ(left.after(30), 1);
}

TEST(TimeLeft, KnowsThatManyBodiesTakeLong) {
  const std::vector<Case> cases = forces_of({2000, 2000, 20});
  TimeLeft left(cases, 1);
  left.note(cases[0], true);
  EXPECT_NEAR(left.after(10), 10 + 1, 1);
}

TEST(TimeLeft, IsThatOfAllSeeds) {
  const std::vector<Case> cases = forces_of({50, 50});
  TimeLeft left(cases, 3);
  left.note(cases[0], true);
  EXPECT_DOUBLE_EQ(left.after(10), 10 + 2 * 20 + 1);
}

}  // namespace
}  // namespace nbody::check
