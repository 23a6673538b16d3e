#include "naive.hpp"
#include "simulator/test_kick_drift.hpp"

namespace nbody {
namespace {

TEST(KickAndDrift, OfNaive) { test::expect_kick_and_drift_of<Naive>("naive"); }

}  // namespace
}  // namespace nbody
