// Who is paired with whom, and whether it fits: plain functions, so no GPU is needed.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "../support/chunks.hpp"
#include "../support/third_law_plan.hpp"

namespace nbody {
namespace {

// Each unit once, and its sums where they are read.
TEST(ThirdLawPlan, EveryPairOfBlocksOccursOnceAndItsSumsAreRead) {
  for (int blocks = 1; blocks <= 40; ++blocks) {
    const ThirdLawPlan plan = third_law_plan(blocks, 3, 7);
    std::map<std::pair<int, int>, int> pairs;
    std::multiset<std::pair<int, int>> written, read;  // round and block
    for (int block = 0; block < blocks; ++block) {
      const long long units = plan.first_unit(block + 1) - plan.first_unit(block);
      EXPECT_EQ(units % plan.tiles, 0);
      for (int round = 0; round < units / plan.tiles; ++round) {
        const int other = (block + round) % blocks;
        ++pairs[std::minmax(block, other)];
        if (round > 0) written.insert({round - 1, other});
      }
      for (int round = 0; round < plan.rounds_as_other(block); ++round) read.insert({round, block});
    }
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(blocks * (blocks + 1) / 2)) << blocks;
    for (const auto& [pair, times] : pairs) EXPECT_EQ(times, 1) << blocks;
    EXPECT_EQ(written, read) << blocks;
    for (const auto& [round, block] : written) {
      EXPECT_LT(static_cast<std::size_t>(round * blocks + block), plan.j_sums());
    }
  }
}

TEST(ThirdLawPlan, EveryUnitHasItsChunkAndBlock) {
  for (int blocks = 1; blocks <= 24; ++blocks) {
    for (const int at_once : {1, 2, 7, 132, 396}) {
      const ThirdLawPlan plan = third_law_plan(blocks, 4, at_once);
      const bool in_one_wave = plan.units <= longest_chunk * at_once;
      EXPECT_TRUE(in_one_wave ? plan.chunks <= at_once : plan.chunks % at_once == 0);
      EXPECT_LE(plan.units, longest_chunk * plan.chunks);
      EXPECT_EQ(plan.first_unit_of_chunk(0), 0);
      EXPECT_EQ(plan.first_unit_of_chunk(plan.chunks), plan.units);
      for (long long unit = 0; unit < plan.units; ++unit) {
        const int chunk = plan.chunk_of(unit), block = plan.block_of(unit);
        EXPECT_LE(plan.first_unit_of_chunk(chunk), unit);
        EXPECT_LT(unit, plan.first_unit_of_chunk(chunk + 1));
        EXPECT_LE(plan.first_unit(block), unit);
        EXPECT_LT(unit, plan.first_unit(block + 1));
        // Where the sums of this chunk for this block are written.
        EXPECT_LT(static_cast<std::size_t>(chunk + block), plan.i_sums());
      }
    }
    for (int gpus = 1; gpus <= 8; ++gpus) {  // each chunk on one of them
      int next = 0;
      for (int number = 0; number < gpus; ++number) {
        const ThirdLawPlan plan = third_law_plan(blocks, 4, 13, {number, gpus});
        EXPECT_EQ(plan.first_chunk, next);
        next += plan.own_chunks;
        EXPECT_LE(plan.own_chunks, (plan.chunks + gpus - 1) / gpus);
      }
      EXPECT_EQ(next, third_law_plan(blocks, 4, 13, {0, gpus}).chunks);
    }
  }
}

TEST(Chunks, FillTheGpuAndAreNeverEmpty) {
  for (unsigned blocks = 1; blocks <= 300; ++blocks) {
    const unsigned tiles = 4 * blocks, chunks = best_chunks(blocks, tiles, 1584, 128);
    EXPECT_GE(chunks, 1u);
    EXPECT_LE(chunks, tiles);
    EXPECT_LE(tiles, 128 * chunks);
  }
  EXPECT_GT(best_chunks(16, 64, 1584, 128) * 16, 800u);  // 4096 bodies
}

}  // namespace
}  // namespace nbody
