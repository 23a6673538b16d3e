#include <gtest/gtest.h>

#include "cuda/geometry.hpp"
#include "cuda/steady_rates.hpp"

namespace nbody {
namespace {

TEST(Geometry, EveryBodyHasAThreadNoBlockIsIdleAndSlicesMeet) {
  EXPECT_EQ(blocks_for(std::size_t{1} << 32, 1024), 1u << 22);  // beyond 32 bits on the way
  for (const std::size_t n : {1, 2, 31, 32, 33, 127, 128, 129, 1000, 1021, 4099}) {
    for (const unsigned block : {1u, 16u, 32u, 100u, 1024u}) {
      EXPECT_GE(rounded_up(n, block), n);
      EXPECT_LT(rounded_up(n, block), n + block);
      EXPECT_EQ(rounded_up(n, block), std::size_t{blocks_for(n, block)} * block);
    }
    for (const unsigned slices : {1u, 2u, 3u, 8u, 132u, 5000u}) {
      std::size_t next = 0;
      for (unsigned k = 0; k < slices; ++k) {
        const Slice slice = slice_of(n, slices, k);
        EXPECT_EQ(slice.first, next);
        EXPECT_EQ(slice.size(), n / slices + (k < n % slices ? 1 : 0));
        next = slice.last;
      }
      EXPECT_EQ(next, n);
    }
  }
  EXPECT_EQ(blocks_for_smallest(4096), 1u);  // worksheets count with one block
  EXPECT_EQ(blocks_for_smallest(4097), 2u);
  EXPECT_EQ(blocks_for_smallest(std::size_t{1} << 40), 256u);
}

// A GPU that wakes up: for `slow_s` of its work it is six times as slow.
TEST(SteadyRates, AreThoseOfAWarmGpuInRepeatsThatAreLongEnough) {
  struct Row {
    double second_each, slow_s;
    Effort effort;
  };
  for (const Row& row :
       {Row{3e-8, 0, {}}, Row{0.09, 0, {}}, Row{1e-6, 0.25, {}}, Row{1e-6, 0, {0, 0.02, 3}}}) {
    SCOPED_TRACE(row.second_each);
    double worked_s = 0, last_s = 0;
    const auto rates = steady_rates(
        [&](unsigned times) {
          last_s = times * row.second_each * (worked_s < row.slow_s ? 6 : 1);
          worked_s += last_s;
          return last_s;
        },
        row.effort);
    ASSERT_EQ(rates.size(), std::size_t(row.effort.repeats));
    for (const double one : rates) EXPECT_NEAR(one * row.second_each, 1, 1e-9);
    EXPECT_GE(last_s, row.effort.least_s);
    EXPECT_GE(worked_s, row.effort.warm_up_s + row.effort.repeats * row.effort.least_s);
    EXPECT_LE(worked_s, 3);
  }
}

}  // namespace
}  // namespace nbody
