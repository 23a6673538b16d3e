#include "simulator/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/reference.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

constexpr Precision in_float = Precision::single_precision;
constexpr Precision in_double = Precision::double_precision;

Tuning seen;  // by the last implementation that was made

TEST(Tuning, HasTheFirstChoicesUnlessOthersAreAskedFor) {
  Implementation one = implementation;
  one.block_sizes = {256, 32, 64};
  one.unrolls = {4, 1};
  one.largest_grid = 100;
  one.make = +[](const ProblemOf<float>& problem) {
    seen = problem.tuning;
    return implementation.make.in_float(problem);
  };
  Request request;
  request.bodies = make_scene("random", 5, 1).bodies;
  const std::pair<Tuning, Tuning> rows[] = {
      {{}, {.block = 256, .unroll = 4}},
      {{.block = 64}, {.block = 64, .unroll = 4}},
      {{.block = 32, .unroll = 1, .grid = 7}, {.block = 32, .unroll = 1, .grid = 7}}};
  for (const auto& [asked, given] : rows) {
    answer_request(one, request, asked);
    EXPECT_EQ(seen, given);
  }
  EXPECT_EQ(chosen_tuning(implementation, {}), Tuning());
}

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

// 20 steps; the scenes are not chaotic that fast, so 1e-12 is some thousand roundings of double.
// In float 4e-5 was measured. Unscaled, G m_i m_j of Sun and Earth alone is beyond float.
TEST(Simulation, IsTheReferenceButForRounding) {
  const Scene scenes[] = {make_scene("random", 50, 3), make_scene("galaxy", 50, 3),
                          make_scene("plummer", 50, 3),
                          read_body_file(DATA_FOLDER "/solar_system.dat")};
  for (const Scene& start : scenes) {
    for (const bool adaptive : {false, true}) {
      Scene scene = start;
      const double expected_time = reference_steps(scene, 20, adaptive);
      const auto expected =
          reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
      for (const auto& [precision, error] : {std::pair{in_double, 1e-12}, {in_float, 2e-4}}) {
        const auto simulation = start_simulation(implementation_in(precision), start, adaptive);
        EXPECT_NEAR(simulation->advance(20), expected_time, error * expected_time);
        const Bodies<double> bodies = simulation->bodies();
        EXPECT_LT(difference(bodies, scene.bodies), error);
        EXPECT_GT(difference(start.bodies, scene.bodies), 1e-6);
        EXPECT_EQ(bodies.mass, start.bodies.mass);
        EXPECT_EQ(bodies.radius, start.bodies.radius);
        simulation->compute_accelerations();
        EXPECT_LT(difference(simulation->accelerations().x, expected.acceleration.x), 10 * error);
      }
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

std::string refusal_of(const Scene& scene, Precision precision) {
  try {
    start_simulation(implementation_in(precision), scene, false);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Bodies 4 and 17 at one place, if nothing else is said.
TEST(Simulation, RefusesWhatWouldOnlyGiveNaN) {
  Scene start = make_scene("plummer", 20, 1);
  start.setting.softening = 0;
  for (auto* q : {&start.bodies.qx, &start.bodies.qy, &start.bodies.qz}) (*q)[17] = (*q)[4];
  const char *together =
                 "bodies 4 and 17 (counted from 0) are at the same place in this precision:"
                 " move one, or soften more with --soft EPS",
             *fast =
                 "the velocity of body 1 (counted from 0) is too large for this precision: try "
                 "--precision double, or check its units",
             *light =
                 "the mass of body 1 (counted from 0) is too small beside the heaviest in this "
                 "precision: try --precision double",
             *soft = "the softening (--soft) is too large for this precision: make it smaller";
  struct Row {
    void (*change)(Scene&);
    const char *said_in_float, *said_in_double;
  };
  const Row rows[] = {
      {[](Scene&) {}, together, together},
      {[](Scene& s) { s.bodies.qx[17] = 0, s.bodies.qx[4] = -0.0; }, together, together},
      {[](Scene& s) { s.bodies.qz[17] *= 1 + 1e-12; }, together, ""},
      {[](Scene& s) { s.setting.softening = 1e-20; }, together, ""},
      {[](Scene& s) { s.setting.softening = 1e-3; }, "", ""},
      {[](Scene& s) { s.bodies.qz[17] += 1; }, "", ""},
      {[](Scene& s) { s.bodies.vy[1] = 1e25, s.bodies.qz[17] += 1; }, fast, ""},
      {[](Scene& s) { s.bodies.vy[1] = 1e200; }, fast, fast},
      {[](Scene& s) { s.bodies.mass[0] = 1e60, s.bodies.qz[17] += 1; }, light, ""},
      {[](Scene& s) { s.setting.softening = 1e25; }, soft, ""}};
  for (const auto& [change, said_in_float, said_in_double] : rows) {
    Scene scene = start;
    change(scene);
    EXPECT_EQ(refusal_of(scene, in_float), said_in_float);
    EXPECT_EQ(refusal_of(scene, in_double), said_in_double);
  }
}

}  // namespace
}  // namespace nbody
