// Every rung on batches with every number of bodies from 1 to 70: no lane too many or too few. One
// program for each instruction set.
#include <gtest/gtest.h>

#include <memory>

#include "blocked_2.hpp"
#include "blocked_8.hpp"
#include "bodies/scenes.hpp"
#include "bodies/units.hpp"
#include "horizontal_sum.hpp"
#include "newton.hpp"
#include "openmp_direct.hpp"
#include "openmp_third_law.hpp"
#include "pipelined.hpp"
#include "third_law.hpp"
#include "xsimd_exact.hpp"

namespace nbody {
namespace {

template <typename T>
Problem<T> problem_with(std::size_t n) {
  const Scene scene = make_scene("random", n, 1);
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  const Bodies<double> bodies = units.to_working(scene.bodies);
  const auto converted = [](const std::vector<double>& values) {
    return std::vector<T>(values.begin(), values.end());
  };
  return {
      {converted(bodies.mass), converted(bodies.radius), converted(bodies.qx), converted(bodies.qy),
       converted(bodies.qz), converted(bodies.vx), converted(bodies.vy), converted(bodies.vz)},
      T(units.to_G(scene.setting.G)),
      T(units.to_length(scene.setting.softening))};
}

template <typename T>
struct Answer {
  Vectors<T> accelerations;
  double dt;
  Bodies<T> bodies;
};

// Twice, so that what is kept from one step to the next is used.
template <typename T>
Answer<T> answer_of(Simulator<T>& simulator, std::size_t n) {
  Answer<T> answer;
  answer.accelerations.resize(n);
  for (int step = 0; step < 2; ++step) {
    simulator.compute_accelerations();
    answer.dt = as_double(simulator.largest_time_step());
    simulator.update_bodies(T(1e-6));
  }
  simulator.copy_accelerations(answer.accelerations);
  simulator.copy_state(answer.bodies);
  return answer;
}

template <typename Rung>
class AnySize : public testing::Test {};
using Rungs = testing::Types<XsimdExact<float>, XsimdExact<double>, HorizontalSum<float>,
                             HorizontalSum<double>, Newton<float>, Newton<double>, Blocked<float>,
                             Blocked<double>, Blocked2<float>, Blocked8<float>, Blocked8<double>,
                             ThirdLaw<float>, ThirdLaw<double>, Pipelined<float>, Pipelined<double>,
                             OpenmpDirect<float>, OpenmpDirect<double>, OpenmpThirdLaw<float>,
                             OpenmpThirdLaw<double>>;
TYPED_TEST_SUITE(AnySize, Rungs);

template <typename T>
T number_of(const Simulator<T>&);

TYPED_TEST(AnySize, IsAsTheNaiveOne) {
  using T = decltype(number_of(std::declval<TypeParam>()));
  const double allowed = sizeof(T) == sizeof(float) ? 2e-5 : 1e-12;
  for (std::size_t n = 1; n <= 70; ++n) {
    const Problem<T> problem = problem_with<T>(n);
    // On the heap, without spare room: a sanitizer sees one number too far.
    const auto naive = std::make_unique<Naive<T>>(problem);
    const auto rung = std::make_unique<TypeParam>(problem);
    const Answer<T> expected = answer_of<T>(*naive, n), got = answer_of<T>(*rung, n);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(as_double(expected.accelerations.x[i])));
    }
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
