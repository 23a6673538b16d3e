// Integrators beside Eq. 4 and 5: kick(), drift() and the jerk at work.
#include <gtest/gtest.h>

#include "check/test_check_program.hpp"

namespace nbody::check {
namespace {

using test::contains;
using Integrators = test::CheckProgram;

TEST_F(Integrators, AWrongKickOrDriftIsNamed) {
  const Outcome half = check("zoo half_kick --seed 1 --largest 60 --manifest manifest.json");
  EXPECT_TRUE(contains(half.out, "kick() makes half a kick")) << half.out;
  const Outcome lost = check("zoo lost_drift --seed 1 --largest 60 --manifest manifest.json");
  EXPECT_TRUE(contains(lost.out, "drift() moves no body")) << lost.out;
}

// What a program lacks is left out, said in one line, and no fault.
TEST_F(Integrators, OfAJerkThatIsNotThereAreLeftOut) {
  const Outcome run = quick("right --seed 1");
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(contains(run.out, "not checked: the integrators hermite4: ")) << run.out;
  EXPECT_FALSE(contains(run.out, "    jerk ")) << run.out;
}

}  // namespace
}  // namespace nbody::check
