#include "cuda/geometry.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

constexpr std::size_t sizes[] = {1, 2, 31, 32, 33, 127, 128, 129, 1000, 1021, 4099};

TEST(Geometry, EveryBodyHasAThreadAndNoBlockIsIdle) {
  EXPECT_EQ(blocks_for(1000, 128), 8u);
  EXPECT_EQ(blocks_for(std::size_t{1} << 32, 1024), 1u << 22);  // beyond 32 bits on the way
  for (const std::size_t n : sizes) {
    for (const unsigned block : {1u, 16u, 32u, 100u, 1024u}) {
      EXPECT_GE(std::size_t{blocks_for(n, block)} * block, n);
      EXPECT_LT((std::size_t{blocks_for(n, block)} - 1) * block, n);
      EXPECT_EQ(rounded_up(n, block), std::size_t{blocks_for(n, block)} * block);
    }
  }
}

TEST(Geometry, SlicesMeetAndHoldEverythingOnce) {
  for (const std::size_t n : sizes) {
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
}

TEST(Geometry, SlicesFillTheDevice) {
  EXPECT_EQ(slices_to_fill(4096, 128, 132, 2), 9u);  // 32 blocks, 264 wanted
  EXPECT_EQ(slices_to_fill(1 << 20, 128, 132, 2), 1u);
  EXPECT_EQ(slices_to_fill(3, 128, 132, 2), 3u);  // no more slices than sources
}

TEST(Geometry, ManyBlocksLookForTheSmallestOfManyValues) {
  EXPECT_EQ(blocks_for_smallest(1), 1u);
  EXPECT_EQ(blocks_for_smallest(4096), 1u);  // worksheets count with one block
  EXPECT_EQ(blocks_for_smallest(4097), 2u);
  EXPECT_EQ(blocks_for_smallest(std::size_t{1} << 40), 256u);
}

}  // namespace
}  // namespace nbody
