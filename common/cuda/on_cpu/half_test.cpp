#include "cuda/on_cpu/half.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

TEST(Half, OfEveryTwoNeighboursTheNearestAndInTheMiddleTheEvenOne) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next_bits = static_cast<std::uint16_t>(bits + 1);
    const float x = half_of_bits(bits), next = half_of_bits(next_bits), middle = (x + next) / 2;
    ASSERT_LT(x, next);
    ASSERT_EQ(bits_of_half(x), bits);
    ASSERT_EQ(bits_of_half(-x), bits | 0x8000);
    ASSERT_EQ(half_of_bits(static_cast<std::uint16_t>(bits | 0x8000)), -x);
    ASSERT_EQ(rounded_to_half(x), x);
    ASSERT_EQ(rounded_to_half(-x), -x);
    ASSERT_EQ(rounded_to_half(middle), bits % 2 == 0 ? x : next);
    ASSERT_EQ(rounded_to_half(std::nextafter(middle, 0.0f)), x);
    ASSERT_EQ(rounded_to_half(std::nextafter(middle, infinity)), next);
  }
}

TEST(Half, BeginsAndEndsWhereHalvesDo) {
  EXPECT_EQ(half_of_bits(0x0001), 0x1p-24f);
  EXPECT_EQ(half_of_bits(0x0400), 0x1p-14f);
  EXPECT_EQ(half_of_bits(0x3c01), 1 + 0x1p-10f);
  EXPECT_EQ(half_of_bits(0x7bff), largest_half);
  EXPECT_EQ(rounded_to_half(65519), largest_half);
  EXPECT_EQ(bits_of_half(65520), 0x7c00);
  EXPECT_EQ(bits_of_half(-3e38f), 0xfc00);
  EXPECT_TRUE(std::isinf(half_of_bits(0xfc00)));
  EXPECT_TRUE(std::isnan(half_of_bits(bits_of_half(std::nanf("")))));
}

}  // namespace
}  // namespace nbody
