#include "bench/crossing.hpp"

#include <gtest/gtest.h>

#include "bench/test_results.hpp"
#include "command_line/test_output.hpp"

namespace nbody::bench {
namespace {

using command_line::test::contains;

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
