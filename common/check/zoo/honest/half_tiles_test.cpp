#include "check/zoo/honest/half_tiles.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nbody::check {
namespace {

TEST(Half, TwoHold22Digits) {
  for (const float x : {0.1f, 1 / 3.0f, 3.14159265f, -1000.123f}) {
    EXPECT_LE(std::abs(rounded_to_two_halves(x) - x), std::abs(x) * 0x1p-22f);
    EXPECT_GT(std::abs(rounded_to_half(x) - x), std::abs(x) * 0x1p-15f);
  }
}

}  // namespace
}  // namespace nbody::check
