#include "cuda/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace nbody {
namespace {

constexpr std::size_t sizes[] = {1, 2, 31, 32, 33, 127, 128, 129, 1000, 1021, 4099};
constexpr unsigned block_sizes[] = {1, 16, 32, 100, 128, 256, 1024};

TEST(Geometry, EveryBodyHasAThreadAndNoBlockIsIdle) {
  EXPECT_EQ(blocks_for(1000, 128), 8u);
  EXPECT_EQ(idle_threads(1000, 128), 24u);
  EXPECT_EQ(idle_threads(1024, 128), 0u);
  for (const std::size_t n : sizes) {
    for (const unsigned block : block_sizes) {
      EXPECT_GE(std::size_t{blocks_for(n, block)} * block, n);
      EXPECT_LT((std::size_t{blocks_for(n, block)} - 1) * block, n);
      EXPECT_LT(idle_threads(n, block), block);
    }
  }
  // Beyond 32 bits on the way.
  EXPECT_EQ(blocks_for(std::size_t{1} << 32, 1024), 1u << 22);
}

TEST(Geometry, FullTiles) {
  EXPECT_EQ(rounded_up(1, 32), 32u);
  EXPECT_EQ(rounded_up(32, 32), 32u);
  EXPECT_EQ(rounded_up(33, 32), 64u);
}

TEST(Geometry, SlicesMeetAndHoldEverythingOnce) {
  for (const std::size_t n : sizes) {
    for (const unsigned slices : {1u, 2u, 3u, 8u, 132u, 5000u}) {
      std::size_t next = 0;
      for (unsigned k = 0; k < slices; ++k) {
        const Slice slice = slice_of(n, slices, k);
        EXPECT_EQ(slice.first, next);
        EXPECT_GE(slice.size(), n / slices);
        EXPECT_LE(slice.size(), n / slices + 1);
        next = slice.last;
      }
      EXPECT_EQ(next, n);
    }
  }
  EXPECT_EQ(slice_of(10, 4, 1), (Slice{3, 6}));
  EXPECT_EQ(slice_of(10, 4, 2), (Slice{6, 8}));
}

TEST(Geometry, SlicesFillTheDevice) {
  EXPECT_EQ(slices_to_fill(4096, 128, 132, 2), 9u);  // 32 blocks, 264 wanted
  EXPECT_EQ(slices_to_fill(1 << 20, 128, 132, 2), 1u);
  EXPECT_EQ(slices_to_fill(3, 128, 132, 2), 3u);  // no more slices than sources
  EXPECT_EQ(slices_to_fill(1, 128, 132, 2), 1u);
}

// What a kernel does in shared memory, one value after the other.
TEST(Geometry, ReductionTakesEachValueOnceAndAlwaysInTheSameOrder) {
  for (unsigned count = 1; count <= 300; ++count) {
    std::vector<std::vector<unsigned>> taken(count);
    for (unsigned k = 0; k < count; ++k) taken[k] = {k};
    for (unsigned stride = first_stride(count); stride > 0; stride /= 2) {
      for (unsigned k = 0; k < stride; ++k) {
        if (k + stride < count) {
          taken[k].insert(taken[k].end(), taken[k + stride].begin(), taken[k + stride].end());
        }
      }
    }
    std::sort(taken[0].begin(), taken[0].end());
    std::vector<unsigned> all(count);
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(taken[0], all) << count;
  }
}

TEST(Geometry, ManyBlocksLookForTheSmallestOfManyValues) {
  EXPECT_EQ(blocks_for_smallest(1), 1u);
  EXPECT_EQ(blocks_for_smallest(4096), 1u);  // worksheets count with one block
  EXPECT_EQ(blocks_for_smallest(4097), 2u);
  EXPECT_EQ(blocks_for_smallest(131072), 32u);
  EXPECT_EQ(blocks_for_smallest(std::size_t{1} << 40), 256u);
}

TEST(Geometry, SmallestNumberThatFills) {
  EXPECT_EQ(smallest_n_for_all(132, 256), 131u * 256 + 1);
  EXPECT_EQ(blocks_for(smallest_n_for_all(132, 256), 256), 132u);
  EXPECT_EQ(blocks_for(smallest_n_for_all(132, 256) - 1, 256), 131u);
}

TEST(Geometry, ResidentBlocks) {
  EXPECT_EQ(resident_blocks(256, 2048, 32), 8u);
  EXPECT_EQ(resident_blocks(32, 2048, 32), 32u);   // 64 by threads
  EXPECT_EQ(resident_blocks(16, 1024, 16), 16u);   // half a warp takes a whole one
  EXPECT_EQ(resident_blocks(1024, 1536, 16), 1u);  // 512 threads have no place
}

}  // namespace
}  // namespace nbody
