#include "machine/levels.hpp"

#include <gtest/gtest.h>

namespace nbody::machine {
namespace {

constexpr std::size_t plenty = std::size_t(1) << 30;

MachineFacts facts_of(std::size_t l1d, std::size_t l2, std::size_t l3, unsigned l3_caches = 1) {
  MachineFacts facts;
  facts.cores = 4;
  facts.l1d = l1d;
  facts.l2 = l2;
  facts.l3 = l3;
  facts.l3_caches = l3_caches;
  return facts;
}

TEST(Levels, AreHalfOfEachCacheAndFourTimesTheLast) {
  const auto levels = levels_of(facts_of(32 << 10, 1 << 20, 32 << 20), 1, plenty);
  ASSERT_EQ(levels.size(), 4u);
  const std::size_t bytes[] = {16 << 10, 512 << 10, 16 << 20, 128 << 20};
  const char* names[] = {"L1", "L2", "L3", "DRAM"};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(levels[k].name, names[k]);
    EXPECT_EQ(levels[k].bytes, bytes[k]) << names[k];
    EXPECT_EQ(levels[k].why_not, "") << names[k];
  }
}

TEST(Levels, ThreadsShareL3AndMemoryOnly) {
  const auto levels = levels_of(facts_of(32 << 10, 1 << 20, 32 << 20), 4, plenty);
  EXPECT_EQ(levels[0].bytes, 16u << 10);
  EXPECT_EQ(levels[1].bytes, 512u << 10);
  EXPECT_EQ(levels[2].bytes, 4u << 20);
  EXPECT_EQ(levels[3].bytes, 32u << 20);
}

TEST(Levels, SeveralL3AreCountedForMemoryAndForManyThreads) {
  const MachineFacts facts = facts_of(32 << 10, 1 << 20, 32 << 20, 2);
  EXPECT_EQ(levels_of(facts, 1, plenty)[2].bytes, 16u << 20);
  EXPECT_EQ(levels_of(facts, 4, plenty)[2].bytes, 8u << 20);
  EXPECT_EQ(levels_of(facts, 1, plenty)[3].bytes, 256u << 20);
}

TEST(Levels, WithoutAnL3MemoryIsMeasuredBehindL2) {
  const auto levels = levels_of(facts_of(32 << 10, 8 << 20, 0, 0), 1, plenty);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[2].name, "DRAM");
  EXPECT_EQ(levels[2].bytes, 128u << 20);
  EXPECT_EQ(levels[2].why_not, "");
}

TEST(Levels, SayWhenAnArrayMayComeFromCache) {
  const auto levels = levels_of(facts_of(32 << 10, 1 << 20, 64 << 20), 1, 200u << 20);
  EXPECT_EQ(levels[3].bytes, 100u << 20);
  EXPECT_EQ(
      levels[3].why_not,
      "too little memory was free for four times the 64 MiB of cache: some of the 100 MiB may come "
      "from there");
  EXPECT_NE(levels_of(facts_of(32 << 10, 4 << 20, 16 << 20), 4, plenty)[2].why_not, "");
}

TEST(Levels, SayWhenTheSystemTellsNothing) {
  const auto levels = levels_of(facts_of(0, 0, 0, 0), 2, plenty);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].bytes, 8u << 10);
  EXPECT_NE(levels[0].why_not, "");
  EXPECT_EQ(levels[1].bytes, 32u << 20);
}

}  // namespace
}  // namespace nbody::machine
