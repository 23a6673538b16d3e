#include "bench/core_use.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace nbody::bench {
namespace {

double cores_here() { return static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)); }

// One second of a program with this many threads; `ran` and `waited` are sums over them.
CoreUse use(double ran, double waited, double others, double stolen = 0) {
  return {1, ran, waited, others, stolen};
}

TEST(CoreUse, OfAQuietMachineIsEnough) {
  EXPECT_FALSE(had_too_few_cores(use(1, 0, 0), 1));
  EXPECT_FALSE(had_too_few_cores(use(0.99, 0.05, 0.1), 1));
  EXPECT_FALSE(had_too_few_cores({}, 1));  // nothing was timed
}

// A serial part of two threads is the program's own doing.
TEST(CoreUse, ThatAProgramDoesNotWantIsNoLack) {
  EXPECT_FALSE(had_too_few_cores(use(0.6, 0, 0), 1));
  EXPECT_FALSE(cores_here() >= 2 && had_too_few_cores(use(1.1, 0, 0.1), 2));
}

TEST(CoreUse, IsTooLittleWhereThreadsWaitForACore) {
  EXPECT_TRUE(had_too_few_cores(use(0.5, 0.5, 1), 1));
  EXPECT_TRUE(had_too_few_cores(use(0.9, 0.3, 0.5), 1));
}

// Threads that ended say nothing about what they waited; and a host may take the cores away.
TEST(CoreUse, IsTooLittleWhereOthersHaveTheRest) {
  const auto all = static_cast<unsigned>(cores_here());
  EXPECT_TRUE(had_too_few_cores(use(0.5 * all, 0, 0.5 * all), all));
  EXPECT_TRUE(had_too_few_cores(use(0.8, 0, 0, 0.2), 1));
}

TEST(CoreUse, OfMoreThreadsThanWereAskedForIsTheProgramsOwnDoing) {
  EXPECT_TRUE(had_more_cores(use(2, 0, 0), 1));
  EXPECT_FALSE(had_more_cores(use(2, 0, 0), 2));
  EXPECT_FALSE(had_too_few_cores(use(2, 3, 0), 1));
}

TEST(CoreUse, InWords) {
  EXPECT_EQ(cores_in_words(use(0.5, 0, 1), 1, "thread"), "its thread had 0.5 of a core on average");
  const unsigned more = static_cast<unsigned>(cores_here()) + 1;
  EXPECT_NE(cores_in_words(use(1, 0, 1), more, "rank").find("share the machine's"),
            std::string::npos);
}

TEST(CoreUse, IsWaitedForAtMostSoLong) {
  double left = 0;
  EXPECT_FALSE(wait_for_cores(1, left));
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace nbody::bench
