#include "cuda/steady_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace nbody {
namespace {

// A GPU that wakes up: for `slow_s` of its work it is six times as slow.
struct Device {
  double second_each = 0, slow_s = 0, worked_s = 0;
  std::vector<double> taken = {};
  double operator()(unsigned times) {
    const double seconds = times * second_each * (worked_s < slow_s ? 6 : 1);
    worked_s += seconds;
    taken.push_back(seconds);
    return seconds;
  }
};

void expect_warm_and_long(Device device) {
  const Effort effort;
  const double rate = 1 / device.second_each;
  const auto rates = steady_rates([&](unsigned times) { return device(times); }, effort);
  ASSERT_EQ(rates.size(), 15u);
  for (const double one : rates) EXPECT_NEAR(one, rate, 1e-9 * rate);
  const auto repeats = std::vector<double>(device.taken.end() - 15, device.taken.end());
  EXPECT_GE(*std::min_element(repeats.begin(), repeats.end()), effort.least_s);
  EXPECT_GE(device.worked_s, effort.warm_up_s + 15 * effort.least_s);
  EXPECT_LE(device.worked_s, 3);
}

TEST(SteadyRates, ShortWorkIsRepeatedUntilItIsLong) { expect_warm_and_long({3e-8}); }
TEST(SteadyRates, WorkThatIsLongIsDoneOnce) { expect_warm_and_long({0.09}); }
TEST(SteadyRates, SlowBeginningIsNotCounted) { expect_warm_and_long({1e-6, 0.25}); }

TEST(SteadyRates, WithoutWarmUpRepeatsAreAsLongAndAsManyAsTheyMustBe) {
  Device device{1e-6};
  const auto rates = steady_rates([&](unsigned times) { return device(times); }, {0, 0.02, 3});
  EXPECT_EQ(rates.size(), 3u);
  EXPECT_GE(device.taken.back(), 0.02);
}

}  // namespace
}  // namespace nbody
