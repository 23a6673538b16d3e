#include "core/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "core/body_file.hpp"
#include "core/random.hpp"
#include "core/test_message.hpp"
#include "core/units.hpp"

namespace nbody {
namespace {

// FNV-1a over the bits of all values.
class Hash {
 public:
  void add(double value) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8)
      hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::uint64_t hash_of(const Scene& scene) {
  Hash hash;
  for (const auto* column : scene.bodies.columns()) {
    for (const double value : *column) hash.add(value);
  }
  for (const double value : {scene.setting.G, scene.setting.softening, scene.setting.dt,
                             scene.setting.dt_floor, scene.time}) {
    hash.add(value);
  }
  return hash.value();
}

std::size_t some_number(const SceneGenerator& generator) {
  return generator.bodies != 0 ? generator.bodies : 1000;
}

std::string message_for(const std::string& name, std::size_t n, double box = 0) {
  return message_of([&] { make_scene(name, n, 1, box); });
}

// Another hash means other bodies: results of other days and machines are no longer comparable.
TEST(Scenes, AreTheSameBitsEverywhere) {
  const std::map<std::string, std::uint64_t> expected = {
      {"random", 0x8b719e07554f3f84},       {"galaxy", 0x9f7cc2d54ba42136},
      {"collision", 0xb831d61f8e360070},    {"plummer", 0x820e3214a81ee295},
      {"two-body", 0x478fd90da7e233ec},     {"lagrange", 0xac5a7025b686888f},
      {"figure-eight", 0x372d502477b2e829}, {"six", 0xaf54b81bb16ae69f},
  };
  EXPECT_EQ(scene_generators().size(), expected.size());
  for (const SceneGenerator& generator : scene_generators()) {
    const std::uint64_t hash = hash_of(make_scene(generator.name, some_number(generator), 42));
    const auto found = expected.find(generator.name);
    EXPECT_TRUE(found != expected.end() && found->second == hash)
        << std::hex << "{\"" << generator.name << "\", 0x" << hash << "},";
  }
}

// The six of every worksheet and figure, whether their number is given or not.
TEST(Scenes, SixAreTheFirstSixOfMore) {
  const Scene six = make_scene("six", 0, 42), more = make_scene("six", 20, 42);
  EXPECT_EQ(make_scene("six", 6, 42), six);
  EXPECT_EQ(make_scene("six", 6, 42, 5), six);
  EXPECT_EQ(more.bodies.size(), 20u);
  EXPECT_EQ(more.setting, six.setting);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(more.bodies.qx[i], six.bodies.qx[i]);
    EXPECT_EQ(more.bodies.vz[i], six.bodies.vz[i]);
    EXPECT_EQ(more.bodies.mass[i], six.bodies.mass[i]);
  }
}

TEST(Scenes, TheSeedMattersForRandomOnesOnly) {
  for (const SceneGenerator& generator : scene_generators()) {
    const std::size_t n = some_number(generator);
    const Scene scene = make_scene(generator.name, n, 1);
    EXPECT_EQ(make_scene(generator.name, n, 1), scene) << generator.name;
    const bool has_chance = generator.any_number;
    EXPECT_EQ(make_scene(generator.name, n, 2) != scene, has_chance) << generator.name;
  }
}

TEST(Scenes, HoldBodiesThatEveryPrecisionAndFileCanHold) {
  for (const SceneGenerator& generator : scene_generators()) {
    SCOPED_TRACE(generator.name);
    const Scene scene = make_scene(generator.name, some_number(generator), 3);
    EXPECT_EQ(scene.bodies.size(), some_number(generator));
    EXPECT_EQ(rounded_to_float(scene.bodies), scene.bodies);
    EXPECT_EQ(parse_bodies(format_bodies(scene), "f"), scene);
    EXPECT_FALSE(generator.summary.empty());
  }
}

TEST(Scenes, OfOneBodyExist) {
  for (const SceneGenerator& generator : scene_generators()) {
    if (!generator.any_number) continue;
    const Scene scene = make_scene(generator.name, 1, 1);
    EXPECT_EQ(parse_bodies(format_bodies(scene), "f"), scene) << generator.name;
  }
}

TEST(Scenes, KnowTheirNumberOfBodies) {
  EXPECT_EQ(make_scene("two-body", 0, 1).bodies.size(), 2u);
  EXPECT_EQ(make_scene("six", 0, 1).bodies.size(), 6u);
  EXPECT_EQ(make_scene("six", 7, 1).bodies.size(), 7u);
  EXPECT_EQ(message_for("lagrange", 7), "scene lagrange has 3 bodies, not 7: leave the number out");
  EXPECT_EQ(message_for("random", 0),
            "scene random needs a number of bodies: give one, at least 1");
  EXPECT_EQ(message_for("galaxy", max_bodies + 1),
            "scene galaxy with 134217729 bodies: at most 134217728 are possible");
}

TEST(Scenes, OnlyACubeHasASize) {
  EXPECT_EQ(message_for("plummer", 5, 2), "scene plummer has no box to resize: leave it out");
  EXPECT_EQ(message_for("six", 0, 2), "no error");
}

TEST(Scenes, UnknownNameListsTheKnownOnes) {
  EXPECT_EQ(message_for("galaxi", 5),
            "unknown scene 'galaxi': known are random, galaxy, collision, plummer, two-body, "
            "lagrange, figure-eight, six");
  EXPECT_EQ(message_for("", 5).rfind("unknown scene '': known are random", 0), 0u);
}

TEST(RandomScene, StaysInItsBox) {
  const Scene scene = make_scene("random", 10000, 1);
  const Bodies<double>& b = scene.bodies;
  const auto expect_fills = [](const std::vector<double>& values, double low, double high) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*least, low);
    EXPECT_LE(*most, high);
    EXPECT_LT(*least, low + 0.01 * (high - low));
    EXPECT_GT(*most, high - 0.01 * (high - low));
  };
  expect_fills(b.mass, 0, 5e21);
  EXPECT_GT(*std::min_element(b.mass.begin(), b.mass.end()), 0);
  expect_fills(b.radius, 0, 2.5e7);
  expect_fills(b.qx, -6.65e8, 6.65e8);
  expect_fills(b.qy, -5e8, 5e8);
  expect_fills(b.qz, -1.5e9, -5e8);
  for (const auto* v : {&b.vx, &b.vy, &b.vz}) expect_fills(*v, -100, 100);
  EXPECT_EQ(scene.setting, Setting{});
}

TEST(SixScene, FillsItsCube) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Scene scene = make_scene("six", 6, seed);
    const Bodies<double>& b = scene.bodies;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_TRUE(b.mass[i] >= 1 && b.mass[i] <= 10);
      for (const auto* q : {&b.qx, &b.qy, &b.qz}) EXPECT_LE(std::abs((*q)[i]), 5);
      for (const auto* v : {&b.vx, &b.vy, &b.vz}) EXPECT_LE(std::abs((*v)[i]), 1);
    }
    EXPECT_EQ(scene.setting.dt, 1e-5);
    EXPECT_EQ(scene.setting.G, 1);
  }
}

TEST(SixScene, FillsTheCubeThatIsAskedFor) {
  const Bodies<double> b = make_scene("six", 1000, 1, 0.5).bodies;
  for (const auto* q : {&b.qx, &b.qy, &b.qz}) {
    const auto [least, most] = std::minmax_element(q->begin(), q->end());
    EXPECT_TRUE(*least >= -0.5 && *least < -0.49) << *least;
    EXPECT_TRUE(*most <= 0.5 && *most > 0.49) << *most;
  }
  EXPECT_GT(*std::max_element(b.vx.begin(), b.vx.end()), 0.9) << "velocities keep their range";
}

// First outputs for the seed 1234567, as published with the generator.
TEST(Random, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.bits(), 6457827717110365317u);
  EXPECT_EQ(random.bits(), 3203168211198807973u);
  EXPECT_EQ(random.bits(), 9817491932198370423u);
}

TEST(Random, IsUniform) {
  Random random(5);
  const int n = 100000;
  double sum = 0, sum_of_squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    sum_of_squares += u * u;
  }
  // Five standard deviations: 5 sqrt(1/12 / n) and 5 sqrt(4/45 / n).
  EXPECT_NEAR(sum / n, 1.0 / 2, 0.0046);
  EXPECT_NEAR(sum_of_squares / n, 1.0 / 3, 0.0048);
}

TEST(Random, DirectionsHaveLengthOneAndNoPreference) {
  Random random(6);
  double sum[3] = {};
  for (int i = 0; i < 10000; ++i) {
    const Direction d = random_direction(random, false);
    ASSERT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-15);
    sum[0] += d.x;
    sum[1] += d.y;
    sum[2] += d.z;
    ASSERT_EQ(random_direction(random, true).z, 0);
  }
  // Five standard deviations of a mean of 10000 values of variance 1/3.
  for (const double component : sum) EXPECT_NEAR(component / 10000, 0, 0.029);
}

// 1e-15: four units in the last place; seven Newton steps instead of eight change nothing.
TEST(CubeRoot, IsRightToTheLastBits) {
  Random random(7);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(1 + random.uniform(), i % 600 - 300);
    ASSERT_NEAR(cube_root(x) / std::cbrt(x), 1, 1e-15) << x;
  }
  EXPECT_EQ(cube_root(27), 3);
  EXPECT_EQ(cube_root(1), 1);
}

}  // namespace
}  // namespace nbody
