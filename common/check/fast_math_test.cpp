// Built with -ffast-math, under which the compiler may assume that no NaN exists. The error measure
// must find them all the same, so this file makes and looks at them by their bits.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "check/error_measure.hpp"

namespace nbody::check {
namespace {

#ifndef __FAST_MATH__
#error "this file is a test only when it is built with -ffast-math"
#endif

constexpr std::uint64_t nan_bits = 0x7ff8000000000000;
constexpr std::uint64_t infinity_bits = 0x7ff0000000000000;

TEST(FastMath, NumbersThatAreNotFiniteAreInfinitelyWrong) {
  const Reference reference{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {10, 10, 10}};
  EXPECT_EQ(force_error(reference, reference.acceleration).max, 0);
  for (const std::uint64_t bits : {nan_bits, nan_bits | std::uint64_t{1} << 63, infinity_bits}) {
    for (std::size_t i = 0; i < 3; ++i) {
      Vectors<double> got = reference.acceleration;
      got.y[i] = std::bit_cast<double>(bits);
      const ForceError error = force_error(reference, got);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(error.max), infinity_bits) << i;
      EXPECT_EQ(error.worst, i);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(force_error_of(reference, got, i)), infinity_bits);
    }
  }
}

TEST(FastMath, FiniteOrNot) {
  EXPECT_TRUE(is_finite(1e308));
  EXPECT_FALSE(is_finite(std::bit_cast<double>(nan_bits)));
  EXPECT_FALSE(is_finite(std::bit_cast<double>(infinity_bits)));
  EXPECT_TRUE(is_nan(std::bit_cast<double>(nan_bits)));
  EXPECT_FALSE(is_nan(std::bit_cast<double>(infinity_bits)));
}

}  // namespace
}  // namespace nbody::check
