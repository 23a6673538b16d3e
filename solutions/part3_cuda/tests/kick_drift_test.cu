// kick() and drift(), the parts of other integrators, on every data layout of a rung. Without a
// GPU: status 77.
#include <gtest/gtest.h>

#include "../exhibits/async_copies.cuh"
#include "../best.cuh"
#include "../01_resident.cuh"
#include "simulator/test_kick_drift.hpp"
#include "../04_tiles.cuh"

namespace nbody {
namespace {

TEST(KickAndDrift, EveryKindOfData) {
  test::expect_kick_and_drift_of<Naive>("naive");
  test::expect_kick_and_drift_of<AsyncCopies>("async_copies");
  test::expect_kick_and_drift_of<Resident>("resident");
  test::expect_kick_and_drift_of<Tiles>("tiles");
  test::expect_kick_and_drift_of<Split>("split");
  test::expect_kick_and_drift_of<ThirdLaw>("third_law");
  test::expect_kick_and_drift_of<Best>("best");
}

}  // namespace
}  // namespace nbody
