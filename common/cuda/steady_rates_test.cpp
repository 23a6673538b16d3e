#include "cuda/steady_rates.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

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
