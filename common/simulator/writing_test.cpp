// What -w writes.
#include <gtest/gtest.h>

#include <sstream>

#include "core/body_file.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Words = std::vector<std::string>;

void expect_success(const Words& words) {
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST(Writing, EveryIteration) {
  const TestFolder folder;
  expect_success({"-n", "4", "-i", "3", "-w", folder / "new/out"});
  EXPECT_EQ(folder.contents(),
            (Words{"new", "new/out.0.dat", "new/out.1.dat", "new/out.2.dat", "new/out.3.dat"}));
}

// Short pieces must not make the next ones longer and longer, beyond what an integer holds.
TEST(Writing, MorePiecesThanAnIntegerHasBits) {
  const TestFolder folder;
  expect_success({"-n", "1", "-i", "100", "--dt", "1", "-w", folder / "out"});
  EXPECT_EQ(folder.contents().size(), 101u);
}

TEST(Writing, EveryThirdIteration) {
  for (const bool verbose : {false, true}) {
    const TestFolder folder;
    Words words = {"-n", "4", "-i", "10", "-w", folder / "out", "--every", "3"};
    if (verbose) words.push_back("-v");
    expect_success(words);
    EXPECT_EQ(folder.contents(),
              (Words{"out.0.dat", "out.10.dat", "out.3.dat", "out.6.dat", "out.9.dat"}));
  }
}

TEST(Writing, IntervalLongerThanTheRun) {
  const TestFolder folder;
  expect_success({"-n", "4", "-i", "10", "-w", folder / "out", "--every", "18446744073709551615"});
  EXPECT_EQ(folder.contents(), (Words{"out.0.dat", "out.10.dat"}));
}

// A row for the start, for every fourth iteration and for the last one.
TEST(Writing, TheLogGrowsByARowAnIteration) {
  const TestFolder folder;
  expect_success({"--scene", "two-body", "-i", "10", "--dt", "0.125", "--integrator", "yoshida4",
                  "--log", folder / "log.csv", "--every", "4"});
  std::istringstream lines(text_of(folder / "log.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
            "angular_momentum_y,angular_momentum_z,smallest_distance,force_evaluations,wall_s");
  for (const char* const begin :
       {"0,0,0,-0.09", "4,0.5,0.125,-0.09", "8,1,0.125,-0.09", "10,1.25,0.125,-0.09"}) {
    std::getline(lines, line);
    EXPECT_EQ(line.find(begin), 0u) << line;
    const bool at_start = line.starts_with("0,");  // 1.25 apart, the farthest of their orbits
    EXPECT_EQ(line.find(",1.25,0,0") != std::string::npos, at_start) << line;
  }
  EXPECT_NE(line.find(",31,"), std::string::npos) << line;  // 3 per step, and one before the first
  EXPECT_FALSE(std::getline(lines, line));
}

// Energy and smallest distance visit all pairs: with many bodies they would take longer than the
// run.
TEST(Writing, TheLogOfManyBodiesLeavesOutWhatVisitsAllPairs) {
  const TestFolder folder;
  const Outcome outcome = run_program({"--scene", "plummer", "-n", "16385", "-i", "1", "--every",
                                       "2", "--log", folder / "log.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(
                "  log         without energy and smallest distance, which take too long for "
                "more than 16384 bodies\n"),
            std::string::npos)
      << outcome.out;
  const std::string text = text_of(folder / "log.csv");
  std::istringstream lines(text.substr(text.find('\n') + 1));
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    ASSERT_EQ(row.size(), 13u) << line;
    EXPECT_EQ(row[3], "") << line;   // energy
    EXPECT_EQ(row[10], "") << line;  // smallest_distance
    for (const int known : {4, 5, 6, 7, 8, 9, 11, 12}) EXPECT_NE(row[known], "") << line;
  }
  EXPECT_EQ(rows, 2);
}

TEST(Writing, TheLastIterationWhateverEverySays) {
  const TestFolder folder;
  expect_success({"-n", "4", "-i", "5", "-w", folder / "out", "--every", "2", "--integrator", "kdk",
                  "--damping", "0.5"});
  EXPECT_EQ(folder.contents(), (Words{"out.0.dat", "out.2.dat", "out.4.dat", "out.5.dat"}));
  const Scene last = read_body_file(folder / "out.5.dat");
  EXPECT_EQ(last.setting.integrator, "kdk");
  EXPECT_EQ(last.setting.damping, 0.5);
}

TEST(Writing, CarriesBodiesSettingAndTime) {
  const TestFolder folder;
  expect_success({"--scene", "lagrange", "-i", "20", "--dt", "0.25", "--soft", "0.125", "--mdt",
                  "0.5", "--G", "2", "-w", folder / "out", "--every", "10"});
  const Scene start = read_body_file(folder / "out.0.dat");
  const Setting setting = {.G = 2, .softening = 0.125, .dt = 0.25, .dt_floor = 0.5};
  EXPECT_EQ(start, (Scene{make_scene("lagrange", 0, 1).bodies, setting, 0}));
  const Scene later = read_body_file(folder / "out.20.dat");
  EXPECT_EQ(later.setting, setting);
  EXPECT_EQ(later.time, 5);
  EXPECT_EQ(later.bodies.mass, start.bodies.mass);
  EXPECT_EQ(later.bodies.radius, start.bodies.radius);
  EXPECT_NE(later.bodies.qx, start.bodies.qx);
}

TEST(Writing, KeepsTheNamesOfBodies) {
  const TestFolder folder;
  expect_success(
      {"-f", std::string(DATA_FOLDER "/earth_moon_sun.dat"), "-i", "2", "-w", folder / "out"});
  const std::map<std::size_t, std::string> names = {{0, "Sun"}, {1, "Earth"}, {2, "Moon"}};
  EXPECT_EQ(read_body_file(folder / "out.0.dat").names, names);
  EXPECT_EQ(read_body_file(folder / "out.2.dat").names, names);
}

// From scenes in SI units and in others; the second run scales by the bodies it finds.
TEST(Writing, GoesOnFromAFileBitForBit) {
  for (const std::string precision : {"float", "double"}) {
    for (const std::string step : {"--nv", "--vdt"}) {
      for (const std::string scene : {"plummer", "random", "galaxy"}) {
        SCOPED_TRACE(precision + " " + step + " " + scene);
        const TestFolder folder;
        expect_success({"--scene", scene, "-n", "30", "-i", "200", step, "--precision", precision,
                        "-w", folder / "whole", "--every", "100"});
        expect_success({"-f", folder / "whole.100.dat", "-i", "100", step, "--precision", precision,
                        "-w", folder / "again", "--every", "100"});
        const Scene whole = read_body_file(folder / "whole.200.dat");
        const Scene again = read_body_file(folder / "again.100.dat");
        EXPECT_EQ(again.bodies, whole.bodies);
        EXPECT_EQ(again.setting, whole.setting);
        EXPECT_NEAR(again.time, whole.time, 1e-12 * whole.time);
        EXPECT_NE(whole.bodies, read_body_file(folder / "whole.100.dat").bodies);
      }
    }
  }
}

// How many steps are taken at a time depends on the clock; what is written must not.
TEST(Writing, SameTimeHoweverManyStepsAtATime) {
  const TestFolder folder;
  const Words words = {"--scene", "two-body", "-i", "1000", "--dt", "0.1", "--every", "1000", "-w"};
  for (const std::string name : {"quiet", "verbose"}) {
    Words all = words;
    all.push_back(folder / name);
    if (name == "verbose") all.push_back("-v");
    expect_success(all);
  }
  EXPECT_EQ(text_of(folder / "quiet.1000.dat"), text_of(folder / "verbose.1000.dat"));
  EXPECT_EQ(read_body_file(folder / "quiet.1000.dat").time, 100);
}

TEST(Writing, NothingIsWrittenOfBodiesThatRanAway) {
  const TestFolder folder;
  const Outcome outcome =
      run_program({"--scene", "two-body", "-i", "5", "--dt", "1e30", "-w", folder / "out"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("cannot be written: try a smaller time step or a softening"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(folder.contents(), Words{"out.0.dat"});
}

}  // namespace
}  // namespace nbody
