// kick() and drift(), the parts of other integrators, on every data layout of a rung. Without a
// GPU: status 77.
#include <gtest/gtest.h>

#include "../01_resident.cuh"
#include "../04_tiles.cuh"
#include "../06_split.cuh"
#include "../09_third_law.cuh"
#include "../exhibits/async_copies.cuh"
#include "simulator/test_kick_drift.hpp"

namespace nbody {
namespace {

TEST(KickAndDrift, EveryKindOfData) {
  test::expect_kick_and_drift_of<Naive>("naive");
  test::expect_kick_and_drift_of<AsyncCopies>("async_copies");
  test::expect_kick_and_drift_of<Resident>("resident");
  test::expect_kick_and_drift_of<Tiles>("tiles");
  test::expect_kick_and_drift_of<Split>("split");
  test::expect_kick_and_drift_of<ThirdLaw>("third_law");
}

}  // namespace
}  // namespace nbody
