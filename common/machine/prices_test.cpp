#include "machine/prices.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nbody::machine {
namespace {

const std::vector<Price>& prices() {
  static const std::vector<Price> measured = measure_prices();
  return measured;
}

const Price& price(const std::string& operation, const std::string& precision) {
  for (const Price& each : prices()) {
    if (each.operation == operation && each.precision == precision) return each;
  }
  throw std::out_of_range(operation);
}

TEST(CoreClock, IsThatOfAProcessor) {
  std::vector<double> cycles;
  for (int round = 0; round < 101; ++round) cycles.push_back(cycle_seconds());
  const double gigahertz = 1e-9 / measured_of(cycles).median;
  EXPECT_GT(gigahertz, 0.3);
  EXPECT_LT(gigahertz, 8.0);
}

TEST(Measured, IsMedianAndWidthOfTheMiddleHalf) {
  const Measured odd = measured_of({5, 1, 3});
  EXPECT_EQ(odd.median, 3);
  const Measured even = measured_of({8, 2, 4, 6});
  EXPECT_EQ(even.median, 5);
  const Measured five = measured_of({10, 1000, 9, 11, 0});
  EXPECT_EQ(five.median, 10);
  EXPECT_DOUBLE_EQ(five.spread, 0.2);
}

TEST(Prices, ArePositive) {
  for (const Price& each : prices()) {
    if (!each.there) continue;
    EXPECT_GT(each.latency.median, 0.2) << each.operation << " " << each.precision;
    EXPECT_GT(each.one_every.median, 0.05) << each.operation << " " << each.precision;
  }
}

// Facts of every processor there is; a loop that the compiler has folded or vectorised breaks them.
TEST(Prices, AreOrdered) {
  for (const char* precision : {"float", "double"}) {
    SCOPED_TRACE(precision);
    EXPECT_GT(price("div", precision).latency.median, 1.3 * price("mul", precision).latency.median);
    EXPECT_GT(price("div", precision).one_every.median,
              1.3 * price("mul", precision).one_every.median);
    EXPECT_GT(price("sqrt", precision).latency.median, price("mul", precision).latency.median);
    EXPECT_GT(price("1/sqrt", precision).latency.median, price("div", precision).latency.median);
    EXPECT_GT(price("pow", precision).latency.median, 2 * price("mul", precision).latency.median);
    EXPECT_GT(price("pow", precision).one_every.median,
              2 * price("mul", precision).one_every.median);
    EXPECT_LT(price("mul", precision).one_every.median, price("mul", precision).latency.median);
  }
  EXPECT_GE(price("div", "double").latency.median, 0.9 * price("div", "float").latency.median);
}

TEST(Prices, NameEveryOperationInBothPrecisions) {
  ASSERT_EQ(prices().size(), 16u);
  for (const char* operation : {"add", "mul", "fma", "div", "sqrt", "1/sqrt", "rsqrt", "pow"}) {
    EXPECT_NO_THROW(price(operation, "float"));
    EXPECT_NO_THROW(price(operation, "double"));
  }
}

}  // namespace
}  // namespace nbody::machine
