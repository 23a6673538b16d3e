#include "simulator/simulation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/reference.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

constexpr Precision in_float = Precision::single_precision;
constexpr Precision in_double = Precision::double_precision;

double reference_steps(Scene& scene, int steps, bool adaptive) {
  double time = 0;
  for (int step = 0; step < steps; ++step) {
    const Setting& s = scene.setting;
    const auto acceleration = reference_accelerations(scene.bodies, s.G, s.softening).acceleration;
    const double dt =
        adaptive ? std::max(reference_time_step(scene.bodies, acceleration), s.dt_floor) : s.dt;
    reference_update(scene.bodies, acceleration, dt);
    time += dt;
  }
  return time;
}

// The largest difference, in parts of the largest value.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return scale > 0 ? largest / scale : largest;
}

double difference(const Bodies<double>& a, const Bodies<double>& b) {
  return std::max({difference(a.qx, b.qx), difference(a.qy, b.qy), difference(a.qz, b.qz),
                   difference(a.vx, b.vx), difference(a.vy, b.vy), difference(a.vz, b.vz)});
}

std::string refusal_of(const Scene& scene, Precision precision) {
  try {
    start_simulation(implementation_in(precision), scene, false);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

Tuning seen;  // by the last implementation that was made

// With what it is launched by.
Implementation with_choices() {
  Implementation one = implementation;
  one.block_sizes = {256, 32, 64};
  one.unrolls = {4, 1};
  one.largest_grid = 100;
  one.make = +[](const ProblemOf<float>& problem) {
    seen = problem.tuning;
    return implementation.make.in_float(problem);
  };
  return one;
}

TEST(Tuning, UsualValuesComeFirstAndOthersAreAskedFor) {
  const Implementation one = with_choices();
  const Scene scene = make_scene("random", 5, 1);
  start_simulation(one, scene, false);
  EXPECT_EQ(seen.block, 256u);
  EXPECT_EQ(seen.unroll, 4u);
  start_simulation(one, scene, false, {64, 0});
  EXPECT_EQ(seen.block, 64u);
  EXPECT_EQ(seen.unroll, 4u);
  EXPECT_EQ(seen.grid, 0u);
}

TEST(Tuning, ReachesWhatIsServed) {
  Request request;
  request.bodies = make_scene("random", 5, 1).bodies;
  answer_request(with_choices(), request, {.block = 32, .unroll = 1, .grid = 7});
  EXPECT_EQ(seen.block, 32u);
  EXPECT_EQ(seen.unroll, 1u);
  EXPECT_EQ(seen.grid, 7u);
}

TEST(Tuning, IsNoneWhereTheImplementationTakesNone) {
  EXPECT_EQ(chosen_tuning(implementation, {}).block, 0u);
  EXPECT_EQ(chosen_tuning(implementation, {}).unroll, 0u);
}

// 20 steps; the scenes are not chaotic that fast, so 1e-12 is some thousand roundings of double.
TEST(Simulation, InDoubleIsTheReferenceButForRounding) {
  for (const std::string name : {"random", "galaxy", "plummer"}) {
    for (const bool adaptive : {false, true}) {
      SCOPED_TRACE(name + (adaptive ? " adaptive" : ""));
      Scene scene = make_scene(name, 50, 3);
      const auto simulation = start_simulation(implementation_in(in_double), scene, adaptive);
      const double time = simulation->advance(20);
      const Scene start = scene;
      EXPECT_NEAR(time, reference_steps(scene, 20, adaptive), 1e-12 * time);
      EXPECT_LT(difference(simulation->bodies(), scene.bodies), 1e-12);
      EXPECT_GT(difference(start.bodies, scene.bodies), 1e-6);
      EXPECT_EQ(simulation->bodies().mass, start.bodies.mass);
      EXPECT_EQ(simulation->bodies().radius, start.bodies.radius);

      simulation->compute_accelerations();
      const auto expected =
          reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
      EXPECT_LT(difference(simulation->accelerations().x, expected.acceleration.x), 1e-11);
    }
  }
}

TEST(Simulation, TheAdaptiveStepHasAFloorAndAStandIn) {
  Scene scene = make_scene("two-body", 0, 1);
  scene.setting.dt_floor = 16;
  EXPECT_EQ(start_simulation(implementation_in(in_float), scene, true)->advance(3), 48);
  // A body alone has no nearest neighbour: dt it is.
  scene = make_scene("plummer", 1, 1);
  scene.setting.dt = 4;
  EXPECT_EQ(start_simulation(implementation_in(in_float), scene, true)->advance(3), 12);
}

// Powers of two change no mantissa: the same system in other units, bit for bit.
TEST(Simulation, ScaledBodiesMoveBitForBitAlike) {
  for (const Precision precision : {in_float, in_double}) {
    const Scene scene = make_scene("plummer", 40, 2);
    Scene large = scene;
    const double length = 0x1p70, mass = 0x1p90, time = 0x1p20;
    for (double& m : large.bodies.mass) m *= mass;
    for (auto* column : {&large.bodies.qx, &large.bodies.qy, &large.bodies.qz}) {
      for (double& q : *column) q *= length;
    }
    for (auto* column : {&large.bodies.vx, &large.bodies.vy, &large.bodies.vz}) {
      for (double& v : *column) v *= length / time;
    }
    large.setting = {.G = scene.setting.G * length * length * length / mass / time / time,
                     .softening = scene.setting.softening * length,
                     .dt = scene.setting.dt * time,
                     .dt_floor = scene.setting.dt_floor * time};
    const auto small_one = start_simulation(implementation_in(precision), scene, true);
    const auto large_one = start_simulation(implementation_in(precision), large, true);
    EXPECT_EQ(large_one->advance(50), small_one->advance(50) * time);
    const auto small_x = small_one->bodies().qx, large_x = large_one->bodies().qx;
    for (std::size_t i = 0; i < small_x.size(); ++i) EXPECT_EQ(large_x[i], small_x[i] * length);
  }
}

// Unscaled, G m_i m_j of Sun and Earth alone is beyond float.
TEST(Simulation, TheSolarSystemInFloat) {
  const Scene scene = read_body_file(DATA_FOLDER "/solar_system.dat");
  const auto energy = [&](const Bodies<double>& bodies) {
    return kinetic_energy(bodies) + potential_energy(bodies, scene.setting.G, 0);
  };
  const auto simulation = start_simulation(implementation_in(in_float), scene, false);
  EXPECT_NEAR(simulation->advance(1000), 1000 * scene.setting.dt, 1e-6 * scene.setting.dt);
  const Bodies<double> bodies = simulation->bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double r = std::hypot(bodies.qx[i], bodies.qy[i], bodies.qz[i]);
    const double v = std::hypot(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
    EXPECT_LT(r, 1e13) << i;
    EXPECT_LT(v, 1e5) << i;
  }
  // Measured 4e-3 with this first-order step at dt = 3600 s, in float as in double.
  EXPECT_LT(std::abs(energy(bodies) / energy(scene.bodies) - 1), 0.02);
  const auto in_more_digits = start_simulation(implementation_in(in_double), scene, false);
  in_more_digits->advance(1000);
  EXPECT_LT(difference(bodies, in_more_digits->bodies()), 1e-3);
}

TEST(Simulation, RefusesWhatWouldOnlyGiveNaN) {
  Scene scene = make_scene("two-body", 0, 1);
  EXPECT_EQ(refusal_of(scene, in_float), "accepted");
  scene.bodies.vy[1] = 1e25;
  EXPECT_EQ(refusal_of(scene, in_float),
            "the velocity of body 1 (counted from 0) is too large for this precision: try "
            "--precision double, or check its units");
  EXPECT_EQ(refusal_of(scene, in_double), "accepted");
  scene.bodies.vy[1] = 1e200;
  EXPECT_NE(refusal_of(scene, in_double), "accepted");

  scene = make_scene("two-body", 0, 1);
  scene.bodies.mass[0] = 1e60;
  EXPECT_EQ(refusal_of(scene, in_float),
            "the mass of body 1 (counted from 0) is too small beside the heaviest in this "
            "precision: try --precision double");
  EXPECT_EQ(refusal_of(scene, in_double), "accepted");

  scene = make_scene("two-body", 0, 1);
  scene.setting.softening = 1e25;
  EXPECT_EQ(refusal_of(scene, in_float),
            "the softening (--soft) is too large for this precision: make it smaller");
  EXPECT_EQ(refusal_of(scene, in_double), "accepted");
}

TEST(Simulation, RefusesCoincidentBodies) {
  Scene scene = make_scene("plummer", 20, 1);
  scene.setting.softening = 0;
  scene.bodies.qx[17] = scene.bodies.qx[4];
  scene.bodies.qy[17] = scene.bodies.qy[4];
  EXPECT_EQ(refusal_of(scene, in_float), "accepted");
  scene.bodies.qz[17] = scene.bodies.qz[4] * (1 + 1e-12);
  EXPECT_EQ(refusal_of(scene, in_float),
            "bodies 4 and 17 (counted from 0) are at the same place in this precision: move one, "
            "or soften more with --soft EPS");
  EXPECT_EQ(refusal_of(scene, in_double), "accepted");
  scene.setting.softening = 1e-20;
  EXPECT_NE(refusal_of(scene, in_float), "accepted");
  scene.bodies.qx[17] = scene.bodies.qx[4] = 0;
  scene.bodies.qx[4] = -0.0;  // the same place
  EXPECT_NE(refusal_of(scene, in_float), "accepted");
  scene.setting.softening = 1e-3;
  EXPECT_EQ(refusal_of(scene, in_float), "accepted");
}

// On three lines, where most share two of their coordinates.
TEST(Simulation, TellsWhichOfManyBodiesCoincide) {
  Scene scene = make_scene("random", 3000, 1);
  Bodies<double>& bodies = scene.bodies;
  scene.setting.softening = 0;
  bodies.qx = bodies.qy = bodies.qz = std::vector<double>(3000);
  const std::array axes = {&bodies.qx, &bodies.qy, &bodies.qz};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    (*axes[i % 3])[i] = 1e9 * static_cast<double>(i + 1);
  }
  for (const auto precision : {in_float, in_double}) {
    EXPECT_EQ(refusal_of(scene, precision), "accepted");
  }
  for (std::size_t i = 0; i < 2999; i += 100) {
    for (auto* axis : axes) axis->back() = (*axis)[i];
    EXPECT_EQ(refusal_of(scene, in_float).find(fmt::format("bodies {} and 2999 (", i)), 0u);
  }
}

}  // namespace
}  // namespace nbody
