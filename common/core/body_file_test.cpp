#include "core/body_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/random.hpp"
#include "core/scenes.hpp"
#include "core/test_message.hpp"
#include "core/text_file.hpp"

namespace nbody {
namespace {

const Scene two_bodies = {
    {{1e20, 2e20}, {1e6, 0}, {1, -1.5}, {2, 2.25e8}, {3, -3e-4}, {4, .5}, {5, 7}, {6, 0}}, {}};

TEST(BodyFile, LayoutDoesNotMatter) {
  for (const char* text : {
           "2\n1e20 1e6 1 2 3 4 5 6\n2e20 0 -1.5 2.25e8 -3e-4 .5 7. 0\n",
           "2 1e20 1e6 1 2 3 4 5 6 2e20 0 -1.5 2.25e8 -3e-4 .5 7. 0",
           "# first\r\n\r\n2 # N\r\n1e20 1e6 1 2 3 4 5 6\r\n\r\n2e20 0 -1.5 2.25e8 -3e-4 .5 7 "
           "0\r\n",
           "\n\n2\n1e20\n1e6\t1\v2\f3\n4\n5 +6\n#\n2e20 0#no space\n-1.5 +2.25e8 -3E-4 5e-1 7 0#",
           "02\n1e20 1e6 1 2 3 4 5 6 2e20 -0 -1.5 2.25e8 -3e-4 .5 7. 0\n\n \n# nbody-lab: G=1",
           " # nbody-lab: G=1\n2\n1e20 1e6 1 2 3 4 5 6\n2e20 0 -1.5 2.25e8 -3e-4 .5 7. 0",
       }) {
    EXPECT_EQ(parse_bodies(text, "f"), two_bodies) << text;
  }
}

// A comment at the end of a record, on the line of its last number, is the body's name.
TEST(BodyFile, CarriesSettingAndNames) {
  const std::string text =
      "# nbody-lab: time=-12.5 G=1  soft=0.5 dt=1e-3 mdt=1e-5 integrator=kdk damping=0.5\r\n"
      "3 # three\n1 1 1 1 1 1 1 1\n# not after it\n2 2 2 2 2 2 2 2#  The  Moon \t\r\n"
      "3 # mass\n3 3 3 3 3 3 3 ## a # b\n# last";
  Scene scene = parse_bodies(text, "f");
  EXPECT_EQ(scene.setting, (Setting{1, 0.5, 1e-3, 1e-5, "kdk", 0.5}));
  EXPECT_EQ(scene.time, -12.5);
  EXPECT_EQ(scene.names, (std::map<std::size_t, std::string>{{1, "The  Moon"}, {2, "# a # b"}}));
  EXPECT_EQ(parse_bodies(format_bodies(scene), "f"), scene);

  scene = two_bodies;
  scene.names[1] = "Moon";
  EXPECT_EQ(format_bodies(scene),
            "# nbody-lab: G=6.67384e-11 soft=0 dt=3600 mdt=200 time=0\n"
            "2\n"
            "# mass radius qx qy qz vx vy vz\n"
            "1e+20 1000000 1 2 3 4 5 6\n"
            "2e+20 0 -1.5 225000000 -0.0003 0.5 7 0  # Moon\n");
}

// Random bit patterns reach every exponent, subnormal numbers too.
TEST(BodyFile, EveryFiniteDoubleIsReadBackBitForBit) {
  Random random(1);
  Scene scene;
  scene.bodies.resize(20000);
  for (auto* column : scene.bodies.columns()) {
    for (double& value : *column) {
      do value = std::bit_cast<double>(random.bits());
      while (!std::isfinite(value));
      if (column == &scene.bodies.mass || column == &scene.bodies.radius) value = std::abs(value);
    }
  }
  scene.bodies.mass[0] = 5e-324;
  scene.bodies.qx[0] = -0.0;
  scene.setting = {0.1, 1e-300, 1.0 / 3, 5e-324};
  const Scene read = parse_bodies(format_bodies(scene), "f");
  EXPECT_EQ(read, scene);
  EXPECT_TRUE(std::signbit(read.bodies.qx[0]));
}

// What is wrong is said in one line with the line of the file. Nothing is reserved for an announced
// N: 134217728 bodies are 8 GiB.
TEST(BodyFile, RefusesWhatIsWrong) {
  const std::string ones = "1 1 1 1 1 1 1 1\n", with_ones = "\n1\n" + ones;
  std::vector<std::pair<std::string, std::string>> rows = {
      {"", "1: '' is not a number of bodies: start with N, from 1 to 134217728, then write N"},
      {"\n# N\n3.0 1 1 1 1 1 1 1 1", "3: '3.0' is not a number of bodies"},
      {"0\n", "1: '0' is not a number of bodies"},
      {"134217729\n", "1: '134217729' is not a number of bodies"},
      {std::string(40, '9'), "1: '" + std::string(30, '9') + "'... is not a number of bodies"},
      {"134217728\n" + ones, "2: the file ends after 1 records and 0 numbers, but N is 134217728"},
      {"2\n" + ones + "1 1\n\n#",
       "3: the file ends after 1 records and 2 numbers, but N is 2: add"},
      {"1\n" + ones + "\n2.5 1 1", "4: '2.5' follows the last record, because N is 1: remove"},
      {"2\n" + ones + "0 1 1 1 1 1 1 1", "3: mass of record 2 is '0', but must be"},
      {"1\n1 -1e-5 1 1 1 1 1 1", "2: radius of record 1 is '-1e-5', but must be"},
      {"1\n1 1 \x80\x1b[31m", "2: qx of record 1 is '\\x80\\x1b[31m', but must be"},
      {"# nbody-lab: G=1 g=2" + with_ones,
       "1: 'g=2' is not a setting: write KEY=VALUE with one of G, soft"},
      {"# nbody-lab: integrator=" + with_ones, "1: 'integrator=' is not a setting"},
      {"# nbody-lab: dt = 5" + with_ones, "1: dt is '', but must be a decimal number"},
      {"# nbody-lab: dt=5 dt=5" + with_ones, "1: dt is given twice: remove one"},
      {"# nbody-lab: dt=0" + with_ones,
       "1: dt is '0', but must be a decimal number like 1.5e3, and"},
      {"# nbody-lab: soft=-1" + with_ones, "1: soft is '-1', but must be"},
      {"# nbody-lab: time=nan" + with_ones, "1: time is 'nan', but must be a finite"},
      {"# nbody-lab: damping=1.5" + with_ones,
       "1: damping is '1.5', but must be a decimal number fr"},
  };
  for (const std::string word : {"abc", "NaN", "-inf", "0x10", "1e999", "1e-999", "1e", "1,5",
                                 "1.5f", "--1", "+-1", "++1", "+", ".", "e5", "1_000"}) {
    rows.emplace_back("1\n1 1 " + word + " 1 1 1 1 1",
                      "2: qx of record 1 is '" + word + "', but must be a finite decimal number");
  }
  for (const auto& [text, begin] : rows) {
    const std::string message = message_of([&text = text] { parse_bodies(text, "f\n.dat"); });
    EXPECT_EQ(message.substr(0, 10 + begin.size()), "f\\x0a.dat:" + begin) << text;
  }
  Scene scene = two_bodies;
  scene.bodies.vy[1] = std::nan("");
  EXPECT_EQ(message_of([&] { format_bodies(scene); }),
            "vy of body 1 is nan and cannot be written: try a smaller time step or a softening");
}

// What else a disk may refuse is tested with a whole program (simulator/program_test.cpp).
TEST(TextFile, ReplacesAnOlderOneAndLeavesNothingElse) {
  std::string folder = (std::filesystem::temp_directory_path() / "text_file.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const auto file = std::filesystem::path(folder) / "a.dat";
  const Scene scene = make_scene("random", 100, 1), large = make_scene("random", 5000, 1);
  write_body_file(file, large);  // larger than a buffer
  EXPECT_EQ(read_body_file(file), large);
  write_body_file(file, scene);
  EXPECT_EQ(read_body_file(file), scene);
  EXPECT_EQ(std::filesystem::remove_all(folder), 2u);
}

}  // namespace
}  // namespace nbody
