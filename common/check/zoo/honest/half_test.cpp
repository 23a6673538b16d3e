#include "check/zoo/honest/half.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nbody {
namespace {

// All that are not negative, by their digits.
std::vector<float> halves() {
  std::vector<float> all;
  for (int k = 0; k < 1024; ++k) all.push_back(std::ldexp(static_cast<float>(k), -24));
  for (int exponent = -14; exponent <= 15; ++exponent) {
    for (int k = 1024; k < 2048; ++k) {
      all.push_back(std::ldexp(static_cast<float>(k), exponent - 10));
    }
  }
  return all;
}

TEST(Half, KeepsEveryHalf) {
  for (const float x : halves()) {
    ASSERT_EQ(rounded_to_half(x), x);
    ASSERT_EQ(rounded_to_half(-x), -x);
  }
  EXPECT_EQ(halves().back(), largest_half);
}

TEST(Half, TakesTheNearestAndOfTwoTheEvenOne) {
  const std::vector<float> all = halves();
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const float middle = (all[k] + all[k + 1]) / 2;
    const float infinity = std::numeric_limits<float>::infinity();
    ASSERT_EQ(rounded_to_half(middle), all[k % 2 == 0 ? k : k + 1]) << middle;
    ASSERT_EQ(rounded_to_half(std::nextafter(middle, 0.0f)), all[k]) << middle;
    ASSERT_EQ(rounded_to_half(std::nextafter(middle, infinity)), all[k + 1]) << middle;
  }
}

TEST(Half, EndsAt65504) {
  EXPECT_EQ(rounded_to_half(65519), 65504);
  EXPECT_TRUE(std::isinf(rounded_to_half(65520)));
  EXPECT_TRUE(std::isinf(rounded_to_half(3e38f)));
  EXPECT_LT(rounded_to_half(-1e5f), 0);
  EXPECT_TRUE(std::isnan(rounded_to_half(std::nanf(""))));
}

TEST(Half, TwoHold22Digits) {
  for (const float x : {0.1f, 1 / 3.0f, 3.14159265f, -1000.123f}) {
    EXPECT_LE(std::abs(rounded_to_two_halves(x) - x), std::abs(x) * 0x1p-22f);
    EXPECT_GT(std::abs(rounded_to_half(x) - x), std::abs(x) * 0x1p-15f);
  }
}

}  // namespace
}  // namespace nbody
