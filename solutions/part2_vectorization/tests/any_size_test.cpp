// Every rung that uses batches, with every number of bodies from 1 to 70: no lane too many or too
// few. One program per instruction set and number type.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "../02_xsimd_exact.hpp"
#include "../03_newton.hpp"
#include "../04_blocked.hpp"
#include "../05_third_law.hpp"
#include "../06_openmp_third_law.hpp"
#include "../exhibits/array_of_batches.hpp"
#include "../exhibits/horizontal_sum.hpp"
#include "../exhibits/lanes_over_i.hpp"
#include "../exhibits/openmp_direct.hpp"
#include "../exhibits/sums_in_parts.hpp"
#ifdef LAB_HAS_STD_SIMD
#include "../exhibits/std_simd.hpp"
#endif
#ifdef LAB_HAS_INTRINSICS
#include "../exhibits/intrinsics.hpp"
#endif

namespace nbody {
namespace {

Problem problem_with(std::size_t n) {
  std::minstd_rand random;
  const auto numbers = [&] {
    std::vector<real> drawn(n);
    for (real& one : drawn) one = std::uniform_real_distribution<real>(0.1F, 1)(random);
    return drawn;
  };
  return {{numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers()},
          1,
          real(0.01)};
}

struct Answer {
  Vectors<real> accelerations;
  real dt;
  Bodies<real> bodies;
};

// Twice, so that state kept from one step to the next is used. On the heap, without spare room: a
// sanitizer sees an access one number too far.
template <typename Rung>
Answer answer_of(const Problem& problem) {
  const auto simulator = std::make_unique<Rung>(problem);
  Answer answer;
  answer.accelerations.resize(problem.bodies.size());
  for (int step = 0; step < 2; ++step) {
    simulator->compute_accelerations();
    answer.dt = simulator->largest_time_step();
    simulator->update_bodies(real(1e-6));
  }
  simulator->copy_accelerations(answer.accelerations);
  simulator->copy_state(answer.bodies);
  return answer;
}

// Blocked with --unroll.
template <unsigned bodies_at_once>
struct BlockedBy : Blocked {
  explicit BlockedBy(Problem problem) : Blocked(tuned(problem)) {}

  static Problem tuned(Problem& problem) {
    problem.tuning.unroll = bodies_at_once;
    return problem;
  }
};

template <typename Rung>
class AnySize : public testing::Test {};
using Rungs = testing::Types<
#ifdef LAB_HAS_STD_SIMD
    StdSimd,
#endif
#ifdef LAB_HAS_INTRINSICS
    Intrinsics,
#endif
    XsimdExact, HorizontalSum, LanesOverI, ArrayOfBatches, Newton, Blocked, BlockedBy<2>,
    BlockedBy<8>, ThirdLaw, SumsInParts, OpenmpDirect, OpenmpThirdLaw>;
TYPED_TEST_SUITE(AnySize, Rungs);

TYPED_TEST(AnySize, IsAsTheNaiveOne) {
  const double allowed = in_double ? 1e-12 : 2e-5;
  for (std::size_t n = 1; n <= 70; ++n) {
    const Problem problem = problem_with(n);
    const Answer expected = answer_of<Naive>(problem), got = answer_of<TypeParam>(problem);
    real largest = 0;
    for (const real a : expected.accelerations.x) largest = std::max(largest, std::abs(a));
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(got.accelerations.x[i], expected.accelerations.x[i], allowed * largest) << n;
      ASSERT_NEAR(got.bodies.qx[i], expected.bodies.qx[i], allowed) << n;
    }
    if (n == 1) continue;  // no neighbour, no time step
    ASSERT_NEAR(got.dt / expected.dt, 1, allowed) << n;
  }
}

}  // namespace
}  // namespace nbody
