#include "check/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/test_answers.hpp"
#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/units.hpp"

// What verdicts rest on: the scenes, the error of a force, the bounds of a step, the limits.

namespace nbody::check {
namespace {

using test::standard;
using enum CheckScene;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double huge = std::numeric_limits<double>::max();

// The seeds of the three unit systems, and the side of a cell of the lattice in each.
constexpr std::pair<std::uint64_t, double> worlds[] = {{3, 1.5e8}, {4, 0.5}, {5, 4e-3}};

Reference reference_of(const Scene& scene) {
  return reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
}

// --- scenes -------------------------------------------------------------------------------------

TEST(CheckScenes, AreSane) {
  for (const auto& [kind, name] : check_scenes) {
    for (const std::size_t n : {1, 2, 3, 7, 17, 64, 129, 1000, 1021, 4099}) {
      for (const auto& [seed, cell] : worlds) {
        SCOPED_TRACE(std::string(name) + ", N = " + std::to_string(n));
        const Scene scene = make_check_scene(kind, n, seed);
        const Bodies<double>& b = scene.bodies;
        ASSERT_EQ(b.size(), n);
        EXPECT_EQ(b, rounded_to_float(b));
        EXPECT_GT(*std::ranges::min_element(b.mass), 0);
        EXPECT_TRUE(scene.setting.dt > 0 && std::isfinite(scene.setting.dt));
        EXPECT_EQ(scene.setting.softening > 0, seed % 3 == 1);
        EXPECT_TRUE(n == 1 || smallest_distance(b) >= 0.599 * cell);
        EXPECT_EQ(scene, make_check_scene(kind, n, seed));
        EXPECT_NE(scene, make_check_scene(kind, n, seed + 3));
        // Beyond a thousand bodies a smaller giant, but still heavier than any other.
        if (n == 1 || kind != heavy_tail) continue;
        const double all = std::accumulate(b.mass.begin(), b.mass.end(), 0.0);
        const double giant = *std::ranges::max_element(b.mass), share = n > 1021 ? 0.05 : 10;
        EXPECT_NEAR(giant / (all - giant), share, 1e-5 * share);
      }
    }
  }
}

// The flier decides, whichever index it has, and its neighbour is where it was asked for.
TEST(CheckScenes, AFlierDecidesTheStep) {
  for (const auto& [seed, cell] : worlds) {
    for (const auto& [flier, neighbour] : {std::pair{0u, 32u}, {32u, 0u}, {17u, 31u}, {5u, 5u}}) {
      Scene scene = make_check_scene(heavy_tail, 33, seed);
      put_flier(scene, flier, neighbour);
      const Vectors<double> a = reference_of(scene).acceleration;
      EXPECT_EQ(
          reference_time_step(scene.bodies, a),
          reference_time_step(scene.bodies, {{a.x[flier]}, {a.y[flier]}, {a.z[flier]}}, {flier}));
      EXPECT_TRUE(flier == neighbour || nearest_to(scene.bodies, flier) == neighbour);
    }
  }
}

// With equal masses nothing hides: a body that pulls no other, and even the weakest single pair of
// all, leaves an error above the tolerance. Measured over six seeds: the weakest source of all
// 1.3e-2 at N = 1021 and 6.8e-3 at 4099; the weakest pair 1.0e-4 and 2.5e-5.
TEST(CheckScenes, ALostPullShows) {
  for (const std::size_t n : {17, 129, 1021, 4099}) {
    const Scene scene = make_check_scene(equal_masses, n, n);
    const Reference reference = reference_of(scene);
    double weakest_source = 1, weakest_pair = 1;
    for (std::size_t j = 0; j < n; ++j) {
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == j) continue;
        // The error that the missing pull leaves at body i.
        const double r = distance(scene.bodies, i, j);
        const double r2 = r * r + scene.setting.softening * scene.setting.softening;
        const double pull = scene.setting.G * scene.bodies.mass[j] * r / (r2 * std::sqrt(r2));
        const double error = pull / reference.magnitude[i];
        largest = std::max(largest, error);
        weakest_pair = std::min(weakest_pair, error);
      }
      weakest_source = std::min(weakest_source, largest);
    }
    EXPECT_GT(weakest_source, 500 * force_limit(standard(), n)) << n;
    // An honest sum uses less than half of the limit, so 2 limits stay wrong with any rounding.
    EXPECT_GT(weakest_pair, 2 * force_limit(standard(), n)) << n;
  }
}

// --- the error of a force -----------------------------------------------------------------------

TEST(ForceErrorOf, IsMeasuredOnTheTermsOfTheSum) {
  struct Row {
    const char* what;
    double got, right, magnitude, error;
  };
  for (const Row& row : {Row{"right", 3, 3, 5, 0},
                         {"a share of all pulls", 3.5, 3, 5, 0.1},
                         {"pulls that cancel", 1e-7, 1e-9, 2, 4.95e-8},
                         {"zero", 0, 3, 5, 0.6},
                         {"NaN", nan, 3, 5, infinity},
                         {"-NaN", -nan, 3, 5, infinity},
                         {"infinity", -infinity, 3, 5, infinity},
                         {"beyond all numbers", huge, -huge, 5, infinity},
                         {"nothing where nothing pulls", -0.0, 0, 0, 0},
                         {"the least where nothing pulls", 1e-300, 0, 0, infinity}}) {
    for (const auto axis : axes) {  // of the last of three bodies; the others are right
      Reference reference{{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, {9, 9, row.magnitude}};
      (reference.acceleration.*axis)[2] = row.right;
      Vectors<double> got = reference.acceleration;
      (got.*axis)[2] = row.got;
      const ForceError error = force_error(reference, got);
      EXPECT_EQ(error.max, force_error_of(reference, got, 2));
      EXPECT_TRUE(error.max == row.error || std::abs(error.max - row.error) < 1e-12) << row.what;
      EXPECT_EQ(error.worst, row.error > 0 ? 2u : 0u) << row.what;
    }
  }
}

TEST(Judged, WhatIsNoNumberFails) {
  EXPECT_EQ(judged(nan, 1e-5), Verdict::failed);
  EXPECT_EQ(judged(1, nan), Verdict::failed);
  EXPECT_EQ(judged(infinity, huge), Verdict::failed);
  EXPECT_EQ(judged(1e-5, 1e-5), Verdict::passed);
}

// --- steps --------------------------------------------------------------------------------------

// Of the bodies of a check, softened as there: in a close encounter rounding would decide the next.
Case step_case(std::size_t n, std::uint64_t seed) {
  Scene scene = make_check_scene(equal_masses, n, seed);
  soften_encounters(scene);
  Case test = case_of(Group::steps, "a step", scene);
  test.request.steps = 1;
  test.request.every_state = true;
  test.rows = all_rows(n);
  return test;
}

State next(const Case& test, const StepFactors& scheme = {}) {
  const Bodies<double>& b = test.request.bodies;
  const Setting& setting = test.request.setting;
  const StepFactors s = scheme.at(Units::for_bodies(b, setting.G).to_time(setting.dt));
  State state = state_of(b, setting.dt);
  for (const auto axis : axes) {
    auto &q = state.position.*axis, &v = state.velocity.*axis;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double kick = (test.reference().acceleration.*axis)[i] * setting.dt;
      q[i] += s.drift * v[i] * setting.dt + s.push * kick * setting.dt / 2;
      v[i] += s.kick * kick;
    }
  }
  return state;
}

Row verdict_on(const Case& test, const State& after) {
  Row row;
  judge(test, {{after}, {}}, standard(), row);
  return row;
}

// Those of the check. A program may compute a step in double and hold its state in float; the wrong
// schemes of the table are far outside, in every world.
TEST(Steps, OfRoundedStatesAreRightAndWrongSchemesAreNot) {
  for (const std::size_t n : {2, 33, 257}) {
    for (const auto& [seed, cell] : worlds) {
      const Case test = step_case(n, seed);
      EXPECT_LT(verdict_on(test, next(test)).error, 1e-6);
      const Bodies<double> rounded = rounded_to_float(bodies_in(test.request.bodies, next(test)));
      EXPECT_LT(verdict_on(test, state_of(rounded, test.request.setting.dt)).error, 0.5);
      for (const Mistake& mistake : mistakes()) {
        if (mistake.scheme == StepFactors()) continue;
        EXPECT_GT(verdict_on(test, next(test, mistake.scheme)).error, 100) << mistake.name << n;
      }
    }
  }
}

// One body is enough, whatever its number. And the bound may not grow with a wrong answer: a body
// thrown far away is no rounding error.
TEST(Steps, OneWrongNumberIsFound) {
  const Case test = step_case(33, 4);
  for (const auto vectors : {&State::position, &State::velocity}) {
    for (const auto axis : axes) {
      for (const double value : {0.0, 1e3, 1e30, 1e300, infinity, -infinity, nan}) {
        State after = next(test);
        (after.*vectors.*axis)[32] = value;
        const Row row = verdict_on(test, after);
        EXPECT_EQ(row.verdict, Verdict::failed) << value;
        EXPECT_FALSE(row.error <= 100) << value;
        if (std::isfinite(value)) {
          EXPECT_NE(row.detail.find(vectors == &State::position ? "position of body 32"
                                                                : "velocity of body 32"),
                    std::string::npos);
        }
      }
    }
  }
  State late = next(test);
  late.time *= 1 + 1e-5;
  EXPECT_EQ(verdict_on(test, late).verdict, Verdict::failed);
}

// A program that computes in double answers with rounded places, and with the pulls at those that
// it has. Where two bodies are close these differ by more than the limit of forces; ten times as
// much is wrong.
TEST(Steps, PullsMayBeThoseBeforePlacesAreRounded) {
  Case test = step_case(33, 4);
  Bodies<double>& b = test.request.bodies;
  test.request.setting.softening = 0;
  test.request.setting.dt /= 10'000;
  test.request.accelerations = true;
  b.qx[1] = b.qx[0] + length(b.qx[0], b.qy[0], b.qz[0]) / 2000;
  b.qy[1] = b.qy[0];
  b.qz[1] = b.qz[0];
  const State after = next(test);
  const Bodies<double> answered = rounded_to_float(bodies_in(b, after));
  const double G = test.request.setting.G;
  const Reference right = reference_accelerations(answered, G, 0);
  Vectors<double> pulls = reference_accelerations(bodies_in(b, after), G, 0).acceleration;
  EXPECT_GT(force_error(right, pulls).max, 1.2 * standard().force);
  Answer answer{{state_of(answered, test.request.setting.dt)}, pulls};
  Row row;
  judge(test, answer, standard(), row);
  EXPECT_EQ(row.verdict, Verdict::passed) << row.detail;
  answer.accelerations.x[0] += 10 * (pulls.x[0] - right.acceleration.x[0]);
  Row wrong;
  judge(test, answer, standard(), wrong);
  EXPECT_EQ(wrong.verdict, Verdict::failed);
}

// Nothing pulls and nothing moves: then not the least motion is right.
TEST(Steps, MotionOutOfNothingIsWrong) {
  const State before{0, {{0}, {0}, {0}}, {{0}, {0}, {0}}};
  State after = before;
  EXPECT_EQ(state_error(before, after, {0}, 1, standard(), {0}).max, 0);
  after.position.x[0] = 1;
  EXPECT_GT(state_error(before, after, {0}, 1, standard(), {0}).max, 1e5);
}

// The limit of forces grows with the number of bodies, and what a step may err with it: to twice as
// much here.
TEST(Steps, OfVeryManyBodiesMayErrAsTheirForcesMay) {
  Case test = step_case(4 * 16384, 1);
  for (auto* v : {&test.request.bodies.vx, &test.request.bodies.vy, &test.request.bodies.vz}) {
    std::ranges::fill(*v, 0);
  }
  test.rows = {0, test.n() - 1};
  const double dt = test.request.setting.dt;
  for (const auto& [error, verdict] :
       {std::pair{1.8, Verdict::passed}, std::pair{2.3, Verdict::failed}}) {
    State after =
        stepped(state_of(test.request.bodies), test.reference().acceleration, dt, test.rows);
    after.velocity.x[0] += error * standard().force * test.reference().magnitude[0] * dt;
    EXPECT_EQ(verdict_on(test, after).verdict, verdict) << error;
  }
}

// --- limits -------------------------------------------------------------------------------------

TEST(Tolerances, AreOfTheNameInFloatAndOfTheirOwnInDouble) {
  constexpr Precision in_float = Precision::single_precision;
  constexpr Precision in_double = Precision::double_precision;
  EXPECT_EQ(tolerance_named("standard", in_float).force, 1e-5);
  EXPECT_EQ(tolerance_named("approximate", in_float).force, 1e-3);
  for (const char* name : {"standard", "approximate", "double"}) {
    EXPECT_EQ(tolerance_named(name, in_double).force, 1e-13);
    EXPECT_EQ(tolerance_named(name, in_double).digits, 0x1p-53);
  }
  // A typing mistake stays one; and double's limits would be 1e8 times too strict for float.
  EXPECT_THROW(tolerance_named("Standard", in_double), InputError);
  EXPECT_THROW(tolerance_named("double", in_float), InputError);
  EXPECT_EQ(force_limit(standard(), 16384), 1e-5);
  EXPECT_DOUBLE_EQ(force_limit(standard(), 4 * 16384), 2e-5);
}

}  // namespace
}  // namespace nbody::check
