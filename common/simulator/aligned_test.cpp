#include "simulator/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace nbody {
namespace {

TEST(AlignedVector, StartsOnACacheLineHoweverItGrows) {
  AlignedVector<char> growing;
  for (std::size_t n = 1; n < 200; ++n) {
    growing.push_back(char(n));
    for (const AlignedVector<char>& copy : {growing, AlignedVector<char>(n, char(n))}) {
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % 64, 0u) << n;
      ASSERT_EQ(copy.back(), char(n));
    }
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(growing.data()) % 64, 0u) << n;
  }
  EXPECT_THROW(AlignedVector<double>().resize(SIZE_MAX / 4), std::length_error);
}

}  // namespace
}  // namespace nbody
