// Who meets whom, and whether it fits: plain functions, so no GPU is needed.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "../../beyond/exchange_geometry.hpp"
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

TEST(Exchange, NoBlockWithoutBodiesAndRoomForAll) {
  for (const ExchangeShape& shape : exchange_shapes) {
    for (std::size_t n = 1; n <= 5000; ++n) {
      EXPECT_LT((shape.blocks(n) - 1) * shape.own, n);
      EXPECT_GE(shape.slots(n), n);
      EXPECT_GE(shape.shared_bytes(n), shape.slots(n) * 16);
    }
  }
}

TEST(Exchange, WhatSuitsAnH200) {
  const auto first_that_suits = [](std::size_t n) {
    for (std::size_t k = 0; k < exchange_shapes.size(); ++k) {
      if (exchange_shapes[k].suits(n, 132, 232448)) return static_cast<int>(k);
    }
    return -1;
  };
  EXPECT_EQ(first_that_suits(512), 0);
  EXPECT_EQ(first_that_suits(513), 1);
  EXPECT_EQ(first_that_suits(1024), 1);
  EXPECT_EQ(first_that_suits(1025), 2);
  EXPECT_EQ(first_that_suits(4096), 3);
  EXPECT_EQ(first_that_suits(4097), -1);
  // The same number of bodies on a GPU with fewer multiprocessors, or with less shared memory.
  EXPECT_FALSE(exchange_shapes[0].suits(512, 127, 232448));
  EXPECT_FALSE(exchange_shapes[3].suits(4096, 132, 65536));
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
