#include "protocol/session_options.hpp"

#include <gtest/gtest.h>

namespace nbody::protocol {
namespace {

const Hello hello{Precision::single_precision, false, 1, "part2", "blocked", "avx2"};

TEST(ExpectedProgram, WhatIsNotAskedMayBeAnything) {
  EXPECT_EQ(difference(hello, {}), "");
  EXPECT_EQ(difference({}, {}), "");
}

TEST(ExpectedProgram, TheRightOneIsFound) {
  EXPECT_EQ(difference(hello, {Precision::single_precision, "part2", "blocked", "avx2"}), "");
}

TEST(ExpectedProgram, EveryFieldCanDiffer) {
  EXPECT_EQ(difference(hello, {.precision = Precision::double_precision}),
            "it computes in float, where double was expected");
  EXPECT_EQ(difference(hello, {.part = "part1"}), "it is of 'part2', where 'part1' was expected");
  EXPECT_EQ(difference(hello, {.name = "mine"}), "it is 'blocked', where 'mine' was expected");
  EXPECT_EQ(difference(hello, {.instruction_set = "avx512"}),
            "it is for the instruction set 'avx2', where 'avx512' was expected");
  EXPECT_EQ(difference(hello, {.instruction_set = ""}),
            "it is for the instruction set 'avx2', where '' was expected");
  EXPECT_EQ(difference(hello, {.ranks = 4}),
            "it runs as 1 ranks, where 4 were expected: is it linked with the MPI that starts it?");
}

TEST(Launch, NothingStandsInFrontOfMostPrograms) {
  EXPECT_FALSE(Launch().has_ranks());
  EXPECT_TRUE(Launch().filled().empty());
}

TEST(Launch, RanksAreFilledIn) {
  const Launch launch{{"/bin/mpiexec", "-n", "RANKS"}, 7};
  EXPECT_TRUE(launch.has_ranks());
  EXPECT_EQ(launch.filled(), (std::vector<std::string>{"/bin/mpiexec", "-n", "7"}));
}

TEST(Launch, ASandboxIsToldTheSocket) {
  const Launch launch{{"/bin/box", "--bind", "SOCKET", "/socket"}, 4};
  EXPECT_FALSE(launch.has_ranks());
  EXPECT_EQ(launch.filled("/tmp/s"),
            (std::vector<std::string>{"/bin/box", "--bind", "/tmp/s", "/socket"}));
}

}  // namespace
}  // namespace nbody::protocol
