#include "core/body_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/random.hpp"
#include "core/test_message.hpp"

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
      {"2\n" + one + "\n# not after it\n" + two + " # Moon", {{1, "Moon"}}},
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
  EXPECT_EQ(message_of([&] { format_bodies(scene); }),
            "vy of body 1 is nan and cannot be written: try a smaller time step or a softening");
}

std::string message_for(std::string_view text) {
  return message_of([=] { parse_bodies(text, "f.dat"); });
}

TEST(BadBodyFile, WithoutANumberOfBodies) {
  const char* const nothing =
      "f.dat:1: no bodies here: start with their number N, then write N records";
  EXPECT_EQ(message_for(""), nothing);
  EXPECT_EQ(message_for("# 3\n"), nothing);
  EXPECT_EQ(message_for("\n\n \r\n"), nothing);
}

TEST(BadBodyFile, WithANumberThatCountsNothing) {
  const std::string advice =
      " is not a number of bodies: start with a whole number N, then write N records";
  EXPECT_EQ(message_for("bodies\n"), "f.dat:1: 'bodies'" + advice);
  EXPECT_EQ(message_for("\n# N\n3.0 1 1 1 1 1 1 1 1"), "f.dat:3: '3.0'" + advice);
  EXPECT_EQ(message_for("-1\n1 1 1 1 1 1 1 1"), "f.dat:1: '-1'" + advice);
  EXPECT_EQ(message_for("1e3"), "f.dat:1: '1e3'" + advice);
  EXPECT_EQ(message_for("0x2"), "f.dat:1: '0x2'" + advice);
  EXPECT_EQ(message_for("0\n"), "f.dat:1: N is 0, but at least 1 body is needed: correct N");
}

TEST(BadBodyFile, WithAnAbsurdNumber) {
  const std::string advice = ", but at most 134217728 bodies are possible: correct N";
  EXPECT_EQ(message_for("134217729\n"), "f.dat:1: N is '134217729'" + advice);
  EXPECT_EQ(message_for("99999999999999999999999999999999999999\n"),
            "f.dat:1: N is '999999999999999999999999999999'..." + advice);
}

TEST(BadBodyFile, WithTooFewRecords) {
  EXPECT_EQ(
      message_for("3\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1\n\n# end\n"),
      "f.dat:4: the file ends after 2 records and 2 numbers, but N is 3: add what is missing or "
      "correct N");
  EXPECT_EQ(
      message_for("1"),
      "f.dat:1: the file ends after 0 records and 0 numbers, but N is 1: add what is missing or "
      "correct N");
  // Would need 8 GiB if the number were believed.
  EXPECT_EQ(message_for("134217728\n1 1 1 1 1 1 1 1"),
            "f.dat:2: the file ends after 1 records and 0 numbers, but N is 134217728: add what is "
            "missing or correct N");
}

TEST(BadBodyFile, WithTooManyRecords) {
  EXPECT_EQ(
      message_for("1\n1 1 1 1 1 1 1 1\n\n2.5 1 1"),
      "f.dat:4: '2.5' follows the last record, because N is 1: remove the surplus or correct N");
}

TEST(BadBodyFile, WithAWordThatIsNoFiniteNumber) {
  const std::string advice = ", not a finite decimal number: write it like 1.5e3";
  const auto expect = [&](const std::string& word, const std::string& shown) {
    EXPECT_EQ(message_for(fmt::format("1\n1 1 {} 1 1 1 1 1\n", word)),
              fmt::format("f.dat:2: qx of record 1 is {}{}", shown, advice));
  };
  for (const char* word :
       {"abc",   "nan",    "NaN",    "inf", "-inf", "infinity", "0x10",  "0x1p3",
        "1e999", "-1e999", "1e-999", "1e",  "1,5",  "1.5f",     "1d3",   "--1",
        "+-1",   "++1",    "+",      "-",   ".",    "e5",       "1_000", "nan(1)"}) {
    expect(word, fmt::format("'{}'", word));
  }
  expect(std::string("1\0", 2), "'1\\x00'");
  expect("\x80\xff\x1b[31m", "'\\x80\\xff\\x1b[31m'");
  expect(std::string(1000, 'x'), fmt::format("'{:x<30}'...", ""));
}

TEST(BadBodyFile, WithAValueThatNoBodyHas) {
  EXPECT_EQ(message_for("2\n1 1 1 1 1 1 1 1\n0 1 1 1 1 1 1 1"),
            "f.dat:3: mass of record 2 is '0', but a mass must be above 0");
  EXPECT_EQ(message_for("1\n-5e3 1 1 1 1 1 1 1"),
            "f.dat:2: mass of record 1 is '-5e3', but a mass must be above 0");
  EXPECT_EQ(message_for("1\n1 -1e-5 1 1 1 1 1 1"),
            "f.dat:2: radius of record 1 is '-1e-5', but a radius must not be negative");
}

TEST(BadBodyFile, WithABadFirstLine) {
  const auto expect = [](const std::string& keys, const std::string& message) {
    EXPECT_EQ(message_for("# nbody-lab: " + keys + "\n1\n1 1 1 1 1 1 1 1\n"),
              "f.dat:1: " + message);
  };
  expect("G=1 g=2",
         "unknown key 'g' in the nbody-lab line: known are G, soft, dt, mdt, time, "
         "damping, integrator");
  expect("=2",
         "unknown key '' in the nbody-lab line: known are G, soft, dt, mdt, time, damping, "
         "integrator");
  expect("integrator=", "integrator has no value: write integrator=NAME without spaces");
  expect("integrator=kdk integrator=dkd", "integrator is given twice: remove one");
  expect("damping=1.5", "damping is '1.5', but must be between 0 and 1");
  expect("dt", "dt has no value: write dt=NUMBER without spaces");
  expect("dt = 5", "dt has no value: write dt=NUMBER without spaces");
  expect("dt=", "dt is '', not a finite decimal number: write it like dt=1.5e3");
  expect("time=nan", "time is 'nan', not a finite decimal number: write it like time=1.5e3");
  expect("dt=5 dt=5", "dt is given twice: remove one");
  expect("dt=0", "dt is '0', but must be above 0");
  expect("soft=-1", "soft is '-1', but must not be negative");
  expect("G=-1", "G is '-1', but must not be negative");
  expect("mdt=-1", "mdt is '-1', but must not be negative");
}

TEST(BadBodyFile, WithANameThatIsNotPrintable) {
  EXPECT_EQ(message_of([] { parse_bodies("", "two\nlines"); }),
            "two\\x0alines:1: no bodies here: start with their number N, then write N records");
}

}  // namespace
}  // namespace nbody
