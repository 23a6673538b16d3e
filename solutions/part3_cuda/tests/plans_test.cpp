// Who meets whom, and whether it fits: plain functions, so no GPU is needed.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "../support/shares.hpp"
#include "../support/third_law_plan.hpp"

namespace nbody {
namespace {

// All blocks that meet, in the order of their units.
TEST(ThirdLawPlan, EveryPairOfBlocksMeetsOnce) {
  for (int blocks = 1; blocks <= 40; ++blocks) {
    const ThirdLawPlan plan = third_law_plan(blocks, 3, 7);
    std::multiset<std::pair<int, int>> met;
    for (int block = 0; block < blocks; ++block) {
      const long long units = plan.first_unit(block + 1) - plan.first_unit(block);
      EXPECT_EQ(units % plan.tiles, 0);
      for (int round = 0; round < units / plan.tiles; ++round) {
        const int other = (block + round) % blocks;
        met.insert(std::minmax(block, other));
      }
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(blocks * (blocks + 1) / 2)) << blocks;
    for (const auto& pair : met) EXPECT_EQ(met.count(pair), 1u) << blocks;
  }
}

TEST(ThirdLawPlan, EveryUnitHasItsShareAndBlock) {
  for (int blocks = 1; blocks <= 24; ++blocks) {
    for (const int at_once : {1, 2, 7, 132, 396}) {
      const ThirdLawPlan plan = third_law_plan(blocks, 4, at_once);
      if (plan.units <= longest_share * at_once) {
        ASSERT_LE(plan.shares, at_once);
      } else {
        EXPECT_EQ(plan.shares % at_once, 0);
      }
      EXPECT_LE(plan.units, longest_share * plan.shares);
      EXPECT_EQ(plan.first_unit_of_share(0), 0);
      EXPECT_EQ(plan.first_unit_of_share(plan.shares), plan.units);
      for (long long unit = 0; unit < plan.units; ++unit) {
        const int share = plan.share_of(unit), block = plan.block_of(unit);
        EXPECT_LE(plan.first_unit_of_share(share), unit);
        EXPECT_LT(unit, plan.first_unit_of_share(share + 1));
        EXPECT_LE(plan.first_unit(block), unit);
        EXPECT_LT(unit, plan.first_unit(block + 1));
        // Where the sums of this share for this block are written.
        EXPECT_LT(static_cast<std::size_t>(share + block), plan.i_sums());
      }
    }
  }
}

TEST(ThirdLawPlan, SeveralGpusTakeEachShareOnce) {
  for (int blocks = 1; blocks <= 12; ++blocks) {
    for (int gpus = 1; gpus <= 8; ++gpus) {
      int next = 0;
      for (int number = 0; number < gpus; ++number) {
        const ThirdLawPlan plan = third_law_plan(blocks, 4, 13, {number, gpus});
        EXPECT_EQ(plan.first_share, next);
        next += plan.own_shares;
        EXPECT_LE(plan.own_shares, (plan.shares + gpus - 1) / gpus);
        if (number + 1 == gpus) {
          EXPECT_EQ(next, plan.shares);
        }
      }
    }
  }
}

TEST(ThirdLawPlan, SumsAreReadWhereTheyWereWritten) {
  for (int blocks = 1; blocks <= 40; ++blocks) {
    const ThirdLawPlan plan = third_law_plan(blocks, 1, 5);
    std::multiset<std::pair<int, int>> written, read;  // round and block
    for (int block = 0; block < blocks; ++block) {
      const long long units = plan.first_unit(block + 1) - plan.first_unit(block);
      for (int round = 1; round < units; ++round) {
        written.insert({round - 1, (block + round) % blocks});
      }
      for (int round = 0; round < plan.rounds_met(block); ++round) read.insert({round, block});
    }
    EXPECT_EQ(written, read) << blocks;
    for (const auto& [round, block] : written) {
      EXPECT_LT(static_cast<std::size_t>(round * blocks + block), plan.j_sums());
    }
  }
}

TEST(Shares, FillTheGpuAndAreNeverEmpty) {
  for (unsigned blocks = 1; blocks <= 300; ++blocks) {
    const unsigned tiles = 4 * blocks, shares = best_shares(blocks, tiles, 1584, 128);
    EXPECT_GE(shares, 1u);
    EXPECT_LE(shares, tiles);
    EXPECT_LE(tiles, 128 * shares);
  }
  EXPECT_GT(best_shares(16, 64, 1584, 128) * 16, 800u);  // 4096 bodies
  EXPECT_EQ(best_shares(1, 1, 1584, 128), 1u);
  EXPECT_GE(best_shares(4096, 16384, 1584, 128), 128u);  // a million bodies
}

}  // namespace
}  // namespace nbody
