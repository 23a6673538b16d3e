#include "bodies/body_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bodies/input_error.hpp"
#include "bodies/random.hpp"

namespace nbody {
namespace {

Scene two_bodies() {
  Scene scene;
  Bodies<double>& bodies = scene.bodies;
  bodies.mass = {1e20, 2e20};
  bodies.radius = {1e6, 0};
  bodies.qx = {1, -1.5};
  bodies.qy = {2, 2.25e8};
  bodies.qz = {3, -3e-4};
  bodies.vx = {4, .5};
  bodies.vy = {5, 7};
  bodies.vz = {6, 0};
  return scene;
}

TEST(BodyFile, ReadsRecords) {
  EXPECT_EQ(parse_bodies("2\n1e20 1e6 1 2 3 4 5 6\n2e20 0 -1.5 2.25e8 -3e-4 .5 7. 0\n", "f"),
            two_bodies());
}

TEST(BodyFile, LayoutDoesNotMatter) {
  for (const char* text : {
           "2 1e20 1e6 1 2 3 4 5 6 2e20 0 -1.5 2.25e8 -3e-4 .5 7. 0",
           "# first\r\n\r\n2 # N\r\n1e20 1e6 1 2 3 4 5 6\r\n\r\n2e20 0 -1.5 2.25e8 -3e-4 .5 7 "
           "0\r\n",
           "\n\n2\n1e20\n1e6\t1\v2\f3\n4\n5 +6\n#\n2e20 0#no space\n-1.5 +2.25e8 -3E-4 5e-1 7 0#",
           "02\n1e20 1e6 1 2 3 4 5 6 2e20 -0 -1.5 2.25e8 -3e-4 .5 7. 0\n\n \n# last",
       }) {
    EXPECT_EQ(parse_bodies(text, "f"), two_bodies()) << text;
  }
}

TEST(BodyFile, FirstLineCarriesTheSetting) {
  const Scene scene = parse_bodies(
      "# nbody-lab: G=1 soft=0.5 dt=1e-3 mdt=1e-5 time=-12.5\r\n1\n1 1 1 1 1 1 1 1\n", "f");
  EXPECT_EQ(scene.setting, (Setting{1, 0.5, 1e-3, 1e-5}));
  EXPECT_EQ(scene.time, -12.5);
}

TEST(BodyFile, KeysOfTheFirstLineAreOptional) {
  const Scene scene = parse_bodies("# nbody-lab:   dt=60\t\n1\n1 1 1 1 1 1 1 1\n", "f");
  Setting expected;
  expected.dt = 60;
  EXPECT_EQ(scene.setting, expected);
  EXPECT_EQ(scene.time, 0);
}

TEST(BodyFile, SettingElsewhereIsAComment) {
  for (const char* text :
       {"\n# nbody-lab: G=1\n1\n1 1 1 1 1 1 1 1\n", "1\n1 1 1 1 1 1 1 1\n# nbody-lab: G=1 nonsense",
        " # nbody-lab: G=1\n1\n1 1 1 1 1 1 1 1\n", "#nbody-lab: G=1\n1 1 1 1 1 1 1 1 1"}) {
    EXPECT_EQ(parse_bodies(text, "f").setting, Setting{}) << text;
  }
}

TEST(BodyFile, WritesShortAndReadable) {
  EXPECT_EQ(format_bodies(two_bodies()),
            "# nbody-lab: G=6.67384e-11 soft=0 dt=3600 mdt=200 time=0\n"
            "2\n"
            "# mass radius qx qy qz vx vy vz\n"
            "1e+20 1000000 1 2 3 4 5 6\n"
            "2e+20 0 -1.5 225000000 -0.0003 0.5 7 0\n");
}

// A comment at the end of a record, on the line of its last number, is the body's name.
TEST(BodyFile, KeepsNames) {
  using Names = std::map<std::size_t, std::string>;
  const std::string one = "1 1 1 1 1 1 1 1", two = "2 2 2 2 2 2 2 2";
  const std::pair<std::string, Names> cases[] = {
      {"2 # two\n" + one + "  # Sun\n" + two + "#  The  Moon \t\r\n",
       {{0, "Sun"}, {1, "The  Moon"}}},
      {"2\n" + one + "\n# not behind it\n" + two + " # Moon", {{1, "Moon"}}},
      {"2\n" + one + " " + two + " # one line\n", {{1, "one line"}}},
      {"2\n1 # mass\n1 1 1 1 1 1 1 ## a # b\n" + two + " #\n# last\n", {{0, "# a # b"}}},
  };
  for (const auto& [text, names] : cases) {
    const Scene scene = parse_bodies(text, "f");
    EXPECT_EQ(scene.names, names) << text;
    EXPECT_EQ(parse_bodies(format_bodies(scene), "f"), scene) << text;
  }
}

TEST(BodyFile, WritesNamesBehindRecords) {
  Scene scene = two_bodies();
  scene.names[1] = "Moon";
  const std::string text = format_bodies(scene);
  EXPECT_EQ(text.substr(text.rfind("2e+20")), "2e+20 0 -1.5 225000000 -0.0003 0.5 7 0  # Moon\n");
}

// Random bit patterns reach every exponent, subnormal numbers too.
TEST(BodyFile, EveryFiniteDoubleIsReadBackBitForBit) {
  Random random(1);
  const auto any_finite = [&] {
    for (;;) {
      const double value = std::bit_cast<double>(random.bits());
      if (std::isfinite(value)) return value;
    }
  };
  const std::size_t n = 20000;
  Scene scene;
  Bodies<double>& bodies = scene.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass.push_back(std::abs(any_finite()));
    bodies.radius.push_back(std::abs(any_finite()));
    for (auto* column : {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
      column->push_back(any_finite());
    }
  }
  bodies.mass[0] = std::numeric_limits<double>::denorm_min();
  bodies.mass[1] = std::numeric_limits<double>::max();
  bodies.qx[0] = -0.0;
  scene.setting = {0.1, 1e-300, 1.0 / 3, 5e-324};
  scene.time = -1e300 / 3;

  const Scene read = parse_bodies(format_bodies(scene), "f");
  EXPECT_EQ(read, scene);
  EXPECT_TRUE(std::signbit(read.bodies.qx[0]));
}

TEST(BodyFile, RefusesToWriteWhatCannotBeRead) {
  Scene scene = two_bodies();
  scene.bodies.vy[1] = std::numeric_limits<double>::quiet_NaN();
  try {
    format_bodies(scene);
    FAIL() << "wrote a nan";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "vy of body 1 is nan and cannot be written: try a smaller time step or a softening");
  }
}

}  // namespace
}  // namespace nbody
