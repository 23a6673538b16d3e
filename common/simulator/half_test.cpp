#include "simulator/half.hpp"

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

TEST(Half, SixteenBitsComeBack) {
  std::uint16_t bits = 0;
  for (const float x : halves()) {
    ASSERT_EQ(bits_of_half(x), bits);
    ASSERT_EQ(half_of_bits(bits), x);
    ASSERT_EQ(bits_of_half(-x), bits | 0x8000);
    ASSERT_EQ(half_of_bits(static_cast<std::uint16_t>(bits | 0x8000)), -x);
    ++bits;
  }
  EXPECT_EQ(bits, 0x7c00);
  EXPECT_EQ(bits_of_half(1e6f), 0x7c00);
  EXPECT_TRUE(std::isinf(half_of_bits(0xfc00)));
  EXPECT_TRUE(std::isnan(half_of_bits(bits_of_half(std::nanf("")))));
}

}  // namespace
}  // namespace nbody
