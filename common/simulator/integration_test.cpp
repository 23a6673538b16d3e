#include "simulator/integration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "core/text_file.hpp"
#include "simulator/plain.hpp"

namespace nbody {
namespace {

// Plain with the jerk, and a count of what it was asked for.
class Counted : public PlainOf<double> {
 public:
  using PlainOf<double>::PlainOf;
  static inline int evaluations = 0;

  void compute_accelerations() override {
    ++evaluations;
    PlainOf<double>::compute_accelerations();
  }
  void accelerations_and_jerk(Vectors<double>& a, Vectors<double>& jerk) override {
    compute_accelerations();
    copy_accelerations(a);
    constexpr double h = 1e-5;  // central difference
    drift(h);
    PlainOf<double>::compute_accelerations();
    copy_accelerations(jerk);
    drift(-2 * h);
    PlainOf<double>::compute_accelerations();
    Vectors<double> before = jerk;
    copy_accelerations(before);
    for (std::size_t i = 0; i < jerk.size(); ++i) {
      jerk.x[i] = (jerk.x[i] - before.x[i]) / (2 * h);
      jerk.y[i] = (jerk.y[i] - before.y[i]) / (2 * h);
      jerk.z[i] = (jerk.z[i] - before.z[i]) / (2 * h);
    }
    drift(h);
  }
};

Integration<double> integration_of(const Scene& scene, const Scheme& scheme, double damping = 1) {
  const auto make = [scene](const Bodies<double>& bodies) -> std::unique_ptr<SimulatorOf<double>> {
    return std::make_unique<Counted>(
        ProblemOf<double>{bodies, scene.setting.G, scene.setting.softening});
  };
  return Integration<double>(scheme, damping, make, scene.bodies);
}

Bodies<double> state_of(Integration<double>& run, const Scene& scene) {
  Bodies<double> now = scene.bodies;
  run.simulator().copy_state(now);
  return now;
}

double energy(const Bodies<double>& bodies) {
  return kinetic_energy(bodies) + potential_energy(bodies, 1, 0);
}

// From the farthest point past the closest one.
double end_of(const Scheme& scheme, int steps) {
  const Scene scene = make_scene("two-body", 0, 1);
  Integration<double> run = integration_of(scene, scheme);
  run.advance(static_cast<std::uint64_t>(steps), {false, 4.0 / steps, 0});
  return state_of(run, scene).qx[0];
}

class EveryScheme : public testing::TestWithParam<Scheme> {};

TEST_P(EveryScheme, HasTheOrderThatItSays) {
  const Scheme& scheme = GetParam();
  const double exact = end_of(scheme_named("rk4"), 20000);
  const int steps = scheme.order == 1 ? 20000 : scheme.order == 2 ? 500 : 100;
  const double coarse = std::abs(end_of(scheme, steps) - exact);
  const double fine = std::abs(end_of(scheme, 2 * steps) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), scheme.order, 0.2) << coarse << " " << fine;
}

TEST_P(EveryScheme, CountsItsEvaluations) {
  const Scene scene = make_scene("two-body", 0, 1);
  Integration<double> run = integration_of(scene, GetParam());
  Counted::evaluations = 0;
  run.advance(10, {false, 0.01, 0});
  EXPECT_EQ(static_cast<int>(run.evaluations()), Counted::evaluations);
  EXPECT_NEAR(run.evaluations() / 10.0, GetParam().evaluations, 0.11);  // perhaps one to begin
}

// There and back again: only a scheme that looks the same from both ends comes back.
TEST_P(EveryScheme, IsTimeSymmetricIfItSaysSo) {
  const Scene scene = make_scene("figure-eight", 0, 1);
  Integration<double> run = integration_of(scene, GetParam());
  run.advance(10, {false, 0.1, 0});
  run.advance(10, {false, -0.1, 0});
  const double miss = std::abs(state_of(run, scene).qx[0] - scene.bodies.qx[0]);
  EXPECT_EQ(miss < 1e-12, GetParam().time_symmetric) << miss;
}

// The largest error of 50 turns: that of a symplectic scheme is that of the first five.
TEST_P(EveryScheme, KeepsTheEnergySwingingIfItIsSymplectic) {
  const Scene scene = make_scene("two-body", 0, 1);
  Integration<double> run = integration_of(scene, GetParam());
  const double start = energy(scene.bodies);
  const std::uint64_t steps = GetParam().order == 1 ? 2000 : 200;  // a turn
  double early = 0, late = 0;
  for (int turn = 0; turn < 50; ++turn) {
    for (int part = 0; part < 10; ++part) {
      run.advance(steps / 10, {false, 2 * M_PI / static_cast<double>(steps), 0});
      const double error = std::abs(energy(state_of(run, scene)) - start);
      double& largest = turn < 5 ? early : late;
      largest = std::max(largest, error);
    }
  }
  EXPECT_EQ(late < 2 * early, GetParam().symplectic) << early << " " << late;
}

// v = D^k v0 for bodies that nothing pulls.
TEST_P(EveryScheme, IsDampedOnceAStep) {
  Scene scene = make_scene("two-body", 0, 1);
  scene.setting.G = 0;
  Integration<double> run = integration_of(scene, GetParam(), 0.5);
  run.advance(3, {false, 0.01, 0});
  EXPECT_DOUBLE_EQ(state_of(run, scene).vy[0], scene.bodies.vy[0] / 8);
}

INSTANTIATE_TEST_SUITE_P(Integration, EveryScheme, testing::ValuesIn(schemes()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Plain leapfrog loses its merit where the step depends on the place; symmetrised it has it again.
TEST(Integration, ASymmetricAdaptiveStepKeepsTheEnergy) {
  const Scene scene = make_scene("two-body", 0, 1);
  const auto drift_of = [&](const char* name) {
    Integration<double> run = integration_of(scene, scheme_named(name));
    run.advance(20000, {true, 0.01, 0});
    return std::abs(energy(state_of(run, scene)) / energy(scene.bodies) - 1);
  };
  EXPECT_GT(drift_of("kdk"), 0.02);
  EXPECT_LT(drift_of("kdk-symmetric"), 0.005);
}

// As NVIDIA's sample: kick, damp, drift with the damped velocity.
TEST(Integration, DampingStandsBehindTheLastKick) {
  Scene scene = make_scene("two-body", 0, 1);
  scene.setting.G = 0;
  Integration<double> run = integration_of(scene, scheme_named("semi-implicit"), 0.5);
  run.advance(1, {false, 1, 0});
  EXPECT_DOUBLE_EQ(state_of(run, scene).qy[0], scene.bodies.vy[0] / 2);
}

TEST(Integration, AnUnknownSchemeIsRefusedWithTheKnownOnes) {
  EXPECT_THROW(scheme_named("leapfrog"), InputError);
  EXPECT_EQ(&scheme_named(""), &schemes().front());
}

TEST(Integration, TheDocumentHasEveryScheme) {
  const std::string document = read_text_file(INTEGRATORS_DOCUMENT);
  for (const Scheme& scheme : schemes()) {
    EXPECT_NE(document.find("\n| `" + std::string(scheme.name) + "`"), std::string::npos)
        << "docs/integrators.md: its table has no row for " << scheme.name;
  }
}

}  // namespace
}  // namespace nbody
