#include "bench/compare.hpp"

#include <gtest/gtest.h>

#include "bench/test_results.hpp"
#include "command_line/test_output.hpp"

namespace nbody::bench {
namespace {

using command_line::test::contains;

const BenchSetup here{1000, 1, "float"};

std::string verdict(double before, double after, double spread) {
  return verdict_of(
      ratio_of(test_row("x", here, after, spread), test_row("x", here, before, 0.01)));
}

TEST(Compare, InsideTheSpreadNothingIsShown) {
  EXPECT_EQ(verdict(1000, 944, 0.22), "0.944 is inside the spread of 22 %: no difference shown");
  EXPECT_EQ(verdict(1000, 1200, 0.22), "1.2 is inside the spread of 22 %: no difference shown");
}

TEST(Compare, OutsideTheSpreadIsFasterOrSlower) {
  EXPECT_EQ(verdict(1000, 1310, 0.04), "1.31: faster, outside the spread of 4 %");
  EXPECT_EQ(verdict(1000, 900, 0.04), "0.9: slower, outside the spread of 4 %");
}

TEST(Compare, TheWiderSpreadDecides) {
  const RateRatio ratio = ratio_of(test_row("x", here, 1.2, 0.01), test_row("x", here, 1, 0.30));
  EXPECT_EQ(ratio.difference, Difference::none);
  EXPECT_NEAR(ratio.spread, 0.30, 1e-12);
}

TEST(Compare, ASingleRoundShowsNothing) {
  BenchRow once = test_row("x", here, 5, 0);
  once.rounds = 1;
  EXPECT_EQ(ratio_of(once, test_row("x", here, 1, 0)).difference, Difference::unknown);
}

TEST(Compare, RowsOfOneFileOnlyAreNamed) {
  const BenchResult before{test_context(), {test_row("a", here, 1e9), test_row("b", here, 1e9)}};
  BenchResult after{test_context(), {test_row("a", here, 2e9), test_row("c", here, 1e9)}};
  after.context.cpu = "Abacus 3";
  after.rows[0].rate = {};
  after.rows[0].verdict = "killed by signal 11";
  const std::string text = compare_text(before, after);
  EXPECT_TRUE(contains(text, "only in the first")) << text;
  EXPECT_TRUE(contains(text, "only in the second")) << text;
  EXPECT_TRUE(contains(text, "not measured: killed by signal 11")) << text;
  EXPECT_TRUE(contains(text, "not the same processor: Abacus 2 and Abacus 3")) << text;
  EXPECT_FALSE(contains(compare_text(before, before), "not the same"));
}

BenchResult swept_by_n(const std::vector<double>& ratios) {
  BenchResult result{test_context(), {}};
  std::size_t n = 32;
  for (const double ratio : ratios) {
    result.rows.push_back(test_row("naive", {n, 1, "float"}, 1e9));
    result.rows.push_back(test_row("other", {n, 1, "float"}, ratio * 1e9));
    n *= 2;
  }
  return result;
}

TEST(Crossing, FromWhichNAnImplementationIsFaster) {
  const std::string text = crossings_text(swept_by_n({0.5, 0.9, 1.5, 3}));
  EXPECT_TRUE(contains(text, "faster than naive (1 thread, float)\n  from N = 128: other\n"))
      << text;
  EXPECT_TRUE(contains(crossings_text(swept_by_n({2, 2})), "from N = 32 or below: other"));
}

TEST(Crossing, AheadWithinTheSpreadOrForAWhileIsNotAhead) {
  EXPECT_TRUE(contains(crossings_text(swept_by_n({0.5, 1.03, 2})), "from N = 128: other"));
  EXPECT_TRUE(contains(crossings_text(swept_by_n({2, 2, 0.9})), "not at the largest: other"));
}

TEST(Crossing, FromWhichNThreadsPay) {
  BenchResult result{test_context(), {}};
  for (const std::size_t n : {100u, 1000u}) {
    result.rows.push_back(test_row("openmp", {n, 1, "float"}, 1e9));
    result.rows.push_back(test_row("openmp", {n, 2, "float"}, n == 100 ? 0.2e9 : 1.9e9));
  }
  const std::string text = crossings_text(result);
  EXPECT_TRUE(contains(text, "2 threads faster than one (float)\n  from N = 1000: openmp\n"))
      << text;
}

TEST(Crossing, NothingSweptNothingSaid) { EXPECT_EQ(crossings_text(swept_by_n({2})), ""); }

}  // namespace
}  // namespace nbody::bench
