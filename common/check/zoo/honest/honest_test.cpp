#include <gtest/gtest.h>

#include "check/zoo/deviation.hpp"
#include "check/zoo/honest/double_inside.hpp"
#include "check/zoo/honest/fused_time_step.hpp"
#include "check/zoo/honest/g_in_masses.hpp"
#include "check/zoo/honest/kahan.hpp"
#include "check/zoo/honest/newton_rsqrt.hpp"
#include "check/zoo/honest/own_advance.hpp"
#include "check/zoo/honest/pairwise_sum.hpp"
#include "check/zoo/honest/plain.hpp"
#include "check/zoo/honest/prints.hpp"
#include "check/zoo/honest/reversed_order.hpp"
#include "check/zoo/honest/softened_branchless.hpp"
#include "check/zoo/honest/third_law.hpp"
#include "check/zoo/honest/threads.hpp"
#include "check/zoo/honest/threads_third_law.hpp"
#include "check/zoo/honest/tiles.hpp"
#include "check/zoo/honest/unrolled.hpp"
#include "check/zoo/honest/vector_of_structs.hpp"

namespace nbody {
namespace {

// fast_math is missing: its flag would reach the inlined code of all others.
template <template <typename> class Animal>
void expect_right() {
  const std::vector<std::size_t> sizes = {1, 2, 3, 17, 129, 1000};
  EXPECT_LE((Deviation<Animal, float>().worst(sizes)), 1);
  EXPECT_LE((Deviation<Animal, double>().worst(sizes)), 1);
}

TEST(Honest, DoubleInside) { expect_right<nbody::DoubleInside>(); }
TEST(Honest, FusedTimeStep) { expect_right<nbody::FusedTimeStep>(); }
TEST(Honest, GInMasses) { expect_right<nbody::GInMasses>(); }
TEST(Honest, Kahan) { expect_right<nbody::Kahan>(); }
TEST(Honest, NewtonRsqrt) { expect_right<nbody::NewtonRsqrt>(); }
TEST(Honest, OwnAdvance) { expect_right<nbody::OwnAdvance>(); }
TEST(Honest, PairwiseSum) { expect_right<nbody::PairwiseSum>(); }
TEST(Honest, Plain) { expect_right<nbody::Plain>(); }
TEST(Honest, Prints) { expect_right<nbody::Prints>(); }
TEST(Honest, ReversedOrder) { expect_right<nbody::ReversedOrder>(); }
TEST(Honest, SoftenedBranchless) { expect_right<nbody::SoftenedBranchless>(); }
TEST(Honest, ThirdLaw) { expect_right<nbody::ThirdLaw>(); }
TEST(Honest, Threads) { expect_right<nbody::Threads>(); }
TEST(Honest, ThreadsThirdLaw) { expect_right<nbody::ThreadsThirdLaw>(); }
TEST(Honest, Tiles) { expect_right<nbody::Tiles>(); }
TEST(Honest, Unrolled) { expect_right<nbody::Unrolled>(); }
TEST(Honest, VectorOfStructs) { expect_right<nbody::VectorOfStructs>(); }

}  // namespace
}  // namespace nbody
