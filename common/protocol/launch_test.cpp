#include "protocol/launch.hpp"

#include <gtest/gtest.h>

namespace nbody::protocol {
namespace {

TEST(Launch, NothingStandsInFrontOfMostPrograms) {
  EXPECT_FALSE(Launch().has_ranks());
  EXPECT_TRUE(Launch().filled().empty());
}

TEST(Launch, RanksAreFilledIn) {
  const Launch launch{{"/bin/mpiexec", "-n", "RANKS"}, 7};
  EXPECT_TRUE(launch.has_ranks());
  EXPECT_EQ(launch.filled(), (std::vector<std::string>{"/bin/mpiexec", "-n", "7"}));
}

TEST(Launch, ASandboxHasNone) {
  const Launch launch{{"/bin/box", "--read-only"}, 4};
  EXPECT_FALSE(launch.has_ranks());
  EXPECT_EQ(launch.filled(), launch.words);
}

}  // namespace
}  // namespace nbody::protocol
