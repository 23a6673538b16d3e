#include "simulator/integration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/conserved.hpp"
#include "core/scenes.hpp"
#include "simulator/plain.hpp"

namespace nbody {
namespace {

// Counts what it was asked for, and must not be asked for what it does not know.
class Counted : public PlainOf<double> {
 public:
  using PlainOf<double>::PlainOf;
  static inline int evaluations = 0;

  void compute_accelerations() override {
    ++evaluations;
    is_known_ = true;
    PlainOf<double>::compute_accelerations();
  }
  double largest_time_step() override {
    EXPECT_TRUE(is_known_) << "it depends on accelerations that were never computed";
    return PlainOf<double>::largest_time_step();
  }

 private:
  bool is_known_ = false;
};

class Orbit {
 public:
  Orbit(const std::string& scene, const Scheme& scheme, double damping = 1, double G = 1)
      : start(make_scene(scene, 0, 1).bodies),
        run([](const ProblemOf<double>& problem) { return std::make_unique<Counted>(problem); },
            {start, {.G = G, .integrator = std::string(scheme.name), .damping = damping}}) {}
  // (E - E0) / |E0|, without its sign.
  double energy_error() {
    return std::abs(total_energy(run.bodies(), 1, 0) / total_energy(start, 1, 0) - 1);
  }

  const Bodies<double> start;
  Integration<double> run;
};

// Where body 0 of "two-body" is some time after the farthest point: by Kepler's equation.
double exact_x(const Bodies<double>& start, double time) {
  const double r = start.qx[1] - start.qx[0], v = start.vy[1] - start.vy[0];
  const double e = 1 - r * v * v, a = r / (1 + e), mean = M_PI + time / (a * std::sqrt(a));
  double E = mean;
  for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - mean) / (1 - e * std::cos(E));
  return start.qx[0] * a * (e - std::cos(E)) / r;
}

// Past the closest point.
double error_after(const Scheme& scheme, int steps) {
  Orbit orbit("two-body", scheme);
  orbit.run.advance(static_cast<std::uint64_t>(steps), {false, 4.0 / steps, 0});
  return std::abs(orbit.run.bodies().qx[0] - exact_x(orbit.start, 4));
}

class EveryScheme : public testing::TestWithParam<Scheme> {};

TEST_P(EveryScheme, HasTheOrderThatItSays) {
  const Scheme& scheme = GetParam();
  const int steps = scheme.order == 1 ? 20000 : scheme.order == 2 ? 500 : 100;
  const double coarse = error_after(scheme, steps), fine = error_after(scheme, 2 * steps);
  EXPECT_NEAR(std::log2(coarse / fine), scheme.order, 0.2) << coarse << " " << fine;
}

TEST_P(EveryScheme, CountsItsEvaluations) {
  Orbit orbit("two-body", GetParam());
  Counted::evaluations = 0;
  orbit.run.advance(10, {false, 0.01, 0});
  EXPECT_EQ(static_cast<int>(orbit.run.evaluations()), Counted::evaluations);
  EXPECT_NEAR(Counted::evaluations / 10.0, GetParam().evaluations, 0.11);  // perhaps one to begin
}

// There and back again: only a scheme that looks the same from both ends comes back.
TEST_P(EveryScheme, IsTimeSymmetricIfItSaysSo) {
  Orbit orbit("figure-eight", GetParam());
  orbit.run.advance(10, {false, 0.1, 0});
  orbit.run.advance(10, {false, -0.1, 0});
  const double miss = std::abs(orbit.run.bodies().qx[0] - orbit.start.qx[0]);
  EXPECT_EQ(miss < 1e-12, GetParam().time_symmetric) << miss;
}

// v = D^k v0 for bodies that nothing pulls. As in NVIDIA's sample a drift comes after it.
TEST_P(EveryScheme, IsDampedOnceAStep) {
  Orbit orbit("two-body", GetParam(), 0.5, 0);
  orbit.run.advance(3, {false, 1, 0});
  EXPECT_DOUBLE_EQ(orbit.run.bodies().vy[0], orbit.start.vy[0] / 8);
  if (GetParam().name == std::string("semi-implicit")) {
    EXPECT_DOUBLE_EQ(orbit.run.bodies().qy[0], orbit.start.vy[0] * (1 / 2. + 1 / 4. + 1 / 8.));
  }
}

std::vector<Scheme> with_gravity() {
  std::vector<Scheme> found = schemes();
  std::erase_if(found, [](const Scheme& scheme) { return scheme.order == 0; });
  return found;
}
INSTANTIATE_TEST_SUITE_P(Integration, EveryScheme, testing::ValuesIn(with_gravity()));

TEST(Integration, ADriftComputesNoForces) {
  Orbit orbit("two-body", scheme_named("drift"));
  orbit.run.advance(4, {false, 0.5, 0});
  EXPECT_EQ(orbit.run.evaluations(), 0u);
  EXPECT_DOUBLE_EQ(orbit.run.bodies().qy[0], orbit.start.qy[0] + 2 * orbit.start.vy[0]);
}

// With damped velocities, whatever is kept from step to step belongs to the state.
TEST(Integration, GoesOnAsARunThatBeginsThere) {
  for (const Scheme& scheme : schemes()) {
    for (const bool adaptive : {false, true}) {
      const auto after = [&](std::uint64_t steps, const Bodies<double>& start) {
        Integration<double> run(
            [](const ProblemOf<double>& problem) { return std::make_unique<Counted>(problem); },
            {start, {.G = 1, .integrator = std::string(scheme.name), .damping = 0.5}});
        run.advance(steps, {adaptive, 0.05, 0});
        return run.bodies();
      };
      const Bodies<double> start = make_scene("two-body", 0, 1).bodies;
      const Bodies<double> at_once = after(2, start), in_two_runs = after(1, after(1, start));
      // What Hermite's scheme keeps was computed at predicted places.
      const double most = scheme.hermite ? 1e-6 : 1e-13;
      SCOPED_TRACE(std::string(scheme.name) + (adaptive ? ", adaptive" : ""));
      EXPECT_NEAR(at_once.qx[0], in_two_runs.qx[0], most);
      EXPECT_NEAR(at_once.vx[0], in_two_runs.vx[0], most);
    }
  }
}

// Plain leapfrog loses its merit where the step depends on the place; symmetrised it has it again.
TEST(Integration, ASymmetricAdaptiveStepKeepsTheEnergy) {
  Orbit plain("two-body", scheme_named("kdk")),
      symmetric("two-body", scheme_named("kdk-symmetric"));
  plain.run.advance(20000, {true, 0.01, 0});
  symmetric.run.advance(20000, {true, 0.01, 0});
  EXPECT_GT(plain.energy_error(), 0.02);
  EXPECT_LT(symmetric.energy_error(), 0.005);
}

}  // namespace
}  // namespace nbody
