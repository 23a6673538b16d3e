#include "check/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/check_scenes.hpp"
#include "check/fitters.hpp"

namespace nbody::check {
namespace {

// Failures with these numbers of bodies, in this order; each of some single steps.
class Failed {
 public:
  explicit Failed(const std::vector<std::size_t>& sizes, std::uint64_t steps = 2) {
    for (const std::size_t n : sizes) {
      Case test = case_of(Group::steps, "", make_check_scene(CheckScene::equal_masses, n, 1));
      test.request.steps = steps;
      test.request.every_state = true;
      cases_.push_back(std::move(test));
    }
    for (const Case& test : cases_) failures_.push_back({&test, {}, 0, 0, 0, false});
    for (const Failure& failure : failures_) all_.push_back(&failure);
  }

  std::vector<std::size_t> sampled() const {
    std::vector<std::size_t> sizes;
    for (const Failure* failure : sample_of(all_)) sizes.push_back(failure->test->n());
    return sizes;
  }

 private:
  std::vector<Case> cases_;
  Failures failures_;
  std::vector<const Failure*> all_;
};

using Sizes = std::vector<std::size_t>;

TEST(Sample, IsOfFewBodiesButNotVeryFew) {
  EXPECT_EQ(Failed({2, 3, 7, 17}).sampled(), (Sizes{7, 17}));
  EXPECT_EQ(Failed({2, 3}).sampled(), (Sizes{2, 3}));
}

TEST(Sample, HasSomeLargerOnes) {
  EXPECT_EQ(Failed({7, 17, 200, 300, 400, 2000}).sampled(), (Sizes{7, 17, 200, 300}));
}

// Many large ones would take half a minute: the cheapest are looked at, as many as take seconds.
// More than 1100 bodies cost less than fewer, since no wrong program is run on them.
TEST(Sample, OfMistakesThatNeedManyBodiesCostsLittle) {
  const Sizes some = Failed({513, 600, 700, 1000, 1100, 2000, 5000}).sampled();
  EXPECT_EQ(some.front(), 513u);
  EXPECT_GE(some.size(), 2u);
  EXPECT_LT(some.size(), 7u);
  EXPECT_EQ(std::count(some.begin(), some.end(), 5000u), 0);
  EXPECT_EQ(std::count(some.begin(), some.end(), 1100u), 0);
}

TEST(Sample, IsNeverEmpty) {
  EXPECT_EQ(Failed({8300}).sampled(), (Sizes{8300}));
  EXPECT_EQ(Failed({most_fitted + 1}).sampled(), (Sizes{most_fitted + 1}));
  EXPECT_EQ(Failed({2000, most_fitted + 1}).sampled().front(), 2000u);
  EXPECT_TRUE(Failed({}).sampled().empty());
}

TEST(Sample, WorkIsThatOfManyWrongProgramsForFewBodiesOnly) {
  const auto work = [](std::size_t n) {
    Case test = case_of(Group::forces, "", make_check_scene(CheckScene::equal_masses, n, 1));
    return work_of(test) / static_cast<double>(n * n);
  };
  EXPECT_GT(work(100), 100);
  EXPECT_LT(work(200), work(100));
  EXPECT_LT(work(1200), work(200));
  EXPECT_EQ(work(most_fitted + 1), 0);
}

}  // namespace
}  // namespace nbody::check
