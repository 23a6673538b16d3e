// A run as a person sees it: what it prints and writes, Ctrl-C, exit status.
#include <gtest/gtest.h>

#include <sstream>

#include "core/body_file.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Words = std::vector<std::string>;

class Run : public testing::Test {
 protected:
  // Returns standard output.
  std::string run(const std::string& arguments) const {
    const Outcome outcome = shell(folder_, "$plain " + arguments);
    EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments;
    return outcome.out;
  }
  const TestFolder folder_;
};

struct Row {
  std::string arguments;
  Words printed, files = {};
};

TEST_F(Run, PrintsAndWritesWhatIsAskedFor) {
  const Row rows[] = {
      {"-n 4 -i 3 -w new/out",
       {"written     new/out.3.dat, the last of 4 states\n"},
       {"new", "new/out.0.dat", "new/out.1.dat", "new/out.2.dat", "new/out.3.dat"}},
      {"-n 4 -i 10 -w out --every 3",
       {},
       {"out.0.dat", "out.10.dat", "out.3.dat", "out.6.dat", "out.9.dat"}},
      {"-n 4 -i 5 -v -w out --every 2", {}, {"out.0.dat", "out.2.dat", "out.4.dat", "out.5.dat"}},
      {"-n 4 -i 10 -w out --every 18446744073709551615", {}, {"out.0.dat", "out.10.dat"}},
      {"-f " DATA_FOLDER "/earth_moon_sun.dat -i 4 --dt 86400 -v",
       {"time step   86400 s\n", " dt s ", "1d 00h 00m 00s", "4d 00h 00m 00s", "dE/E0"}},
      // Units of its own have no name.
      {"--scene two-body -i 500 -v", {"time step   0.001\n", "simulated   0.5\n", "  dt  "}},
      {"--scene two-body -i 1 --vdt", {"adaptive, at least 1e-06\n"}},
      {"-n 1 -i 2 --vdt --dt 50 --mdt 0", {"bodies      1 (scene random, seed 1)\n"}},
      {"-n 2 -i 1 --threads 2 --nv", {"threads     2 at most", "interactions/s", "energy  "}},
      {"--version", {"N-body performance lab ", ", test/plain, "}},
      {"-h", {"  -f FILE", "  --vdt", "  --integrator", "galaxy", "yoshida4", "  --threads"}}};
  for (const auto& [arguments, printed, files] : rows) {
    const TestFolder folder;
    const Outcome outcome = shell(folder, "$plain " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    for (const std::string& text : printed) {
      EXPECT_NE(outcome.out.find(text), std::string::npos) << text << outcome.out;
    }
    EXPECT_EQ(folder.contents(), files);
  }
}

std::vector<Words> rows_of(const std::string& csv) {
  std::vector<Words> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// A row for the start, for every fourth iteration and for the last one.
TEST_F(Run, LogHasWhatIsConserved) {
  run("--scene two-body -i 10 --dt 0.125 --integrator yoshida4 --log log.csv --every 4");
  const std::vector<Words> rows = rows_of(text_of(folder_ / "log.csv"));
  EXPECT_EQ(rows.at(0),
            (Words{"iteration", "time", "dt", "energy", "momentum_x", "momentum_y", "momentum_z",
                   "angular_momentum_x", "angular_momentum_y", "angular_momentum_z",
                   "smallest_distance", "force_evaluations", "wall_s"}));
  const std::vector<Words> begins = {
      {"0", "0", "0"}, {"4", "0.5", "0.125"}, {"8", "1", "0.125"}, {"10", "1.25", "0.125"}};
  ASSERT_EQ(rows.size(), 1 + begins.size());
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const Words& row = rows[k + 1];
    ASSERT_EQ(row.size(), 13u);
    EXPECT_EQ(Words(row.begin(), row.begin() + 3), begins[k]);
    EXPECT_NEAR(std::stod(row[3]), -0.09, 0.01);
  }
  EXPECT_EQ(rows[1][10], "1.25");  // apart, the farthest of their orbits
  EXPECT_EQ(rows[4][11], "31");    // 3 per step, and one before the first
}

// The relative error of the energy in each line, the last of which is that of the summary.
TEST_F(Run, EachIterationHasItsEnergyError) {
  const std::string out = run("-n 300 -i 8 -v --log log.csv");
  const std::vector<Words> rows = rows_of(text_of(folder_ / "log.csv"));
  const double start = std::stod(rows.at(1).at(3));
  for (int k = 1; k <= 8; ++k) {
    const std::size_t line = out.find("\n         " + std::to_string(k) + " ");
    ASSERT_NE(line, std::string::npos) << out;
    const std::string last_word = out.substr(out.find('\n', line + 1) - 9, 9);
    const double expected = (std::stod(rows.at(k + 1).at(3)) - start) / std::abs(start);
    EXPECT_NEAR(std::stod(last_word), expected, 0.06 * std::abs(expected)) << k;
  }
}

// They visit all pairs: with many bodies they would take longer than the run.
TEST_F(Run, OfManyBodiesNeitherEnergyNorSmallestDistance) {
  const std::string out = run("--scene plummer -n 16385 -i 1 -v --log log.csv");
  EXPECT_EQ(out.find("  energy "), std::string::npos) << out;
  const std::vector<Words> rows = rows_of(text_of(folder_ / "log.csv"));
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t cell = 0; cell < 13; ++cell) {
    EXPECT_EQ(rows[2].at(cell).empty(), cell == 3 || cell == 10) << cell;
  }
}

TEST_F(Run, FilesCarryBodiesSettingNamesAndTime) {
  run("--scene lagrange -i 20 --dt 0.25 --soft 0.125 --mdt 0.5 --G 2 --integrator kdk "
      "--damping 0.5 -w out --every 10");
  const Scene start = read_body_file(folder_ / "out.0.dat");
  const Setting setting = {
      .G = 2, .softening = 0.125, .dt = 0.25, .dt_floor = 0.5, .integrator = "kdk", .damping = 0.5};
  EXPECT_EQ(start, (Scene{make_scene("lagrange", 0, 1).bodies, setting, 0}));
  const Scene later = read_body_file(folder_ / "out.20.dat");
  EXPECT_EQ(later.setting, setting);
  EXPECT_EQ(later.time, 5);
  EXPECT_EQ(later.bodies.mass, start.bodies.mass);
  EXPECT_NE(later.bodies.qx, start.bodies.qx);
  run("-f " DATA_FOLDER "/earth_moon_sun.dat -i 2 -w named");
  const std::map<std::size_t, std::string> names = {{0, "Sun"}, {1, "Earth"}, {2, "Moon"}};
  EXPECT_EQ(read_body_file(folder_ / "named.2.dat").names, names);
}

// From scenes in SI units and in others; the second run scales by the bodies it finds.
TEST_F(Run, GoesOnFromAFileBitForBit) {
  for (const std::string precision : {"float", "double"}) {
    for (const std::string step : {" --nv", " --vdt"}) {
      for (const std::string scene : {"plummer", "random", "galaxy"}) {
        const std::string options = step + " --every 100 --precision " + precision;
        SCOPED_TRACE(scene + options);
        run("--scene " + scene + " -n 30 -i 200 -w whole" + options);
        run("-f whole.100.dat -i 100 -w again" + options);
        const Scene whole = read_body_file(folder_ / "whole.200.dat");
        const Scene again = read_body_file(folder_ / "again.100.dat");
        EXPECT_EQ(again.bodies, whole.bodies);
        EXPECT_EQ(again.setting, whole.setting);
        EXPECT_NEAR(again.time, whole.time, 1e-12 * whole.time);
        EXPECT_NE(whole.bodies, read_body_file(folder_ / "whole.100.dat").bodies);
      }
    }
  }
}

// How many steps are taken at a time depends on the clock; what is written must not.
TEST_F(Run, SameTimeHoweverManyStepsAtATime) {
  run("--scene two-body -i 1000 --dt 0.1 --every 1000 -w quiet");
  run("--scene two-body -i 1000 --dt 0.1 --every 1000 -w verbose -v");
  EXPECT_EQ(text_of(folder_ / "quiet.1000.dat"), text_of(folder_ / "verbose.1000.dat"));
  EXPECT_EQ(read_body_file(folder_ / "quiet.1000.dat").time, 100);
}

struct BadEnd {
  std::string lines;
  int status;
  std::string err, out;  // a part of each
  Words files = {};
};

// In the background, with all that it prints in the file `said`; `await WORDS` waits for some.
const std::string begin =
    "ulimit -t 60; await() { for k in $(seq 600); do grep -q \"$*\" said && return; sleep 0.05; "
    "done; }; $plain ";
const std::string interrupt = " >said 2>&1 & await built by; sleep 0.3; kill -INT $!; ";
const std::string end = " wait $!; status=$?; cat said; rm said; exit $status";

TEST(BadEnd, LeavesWholeOutputs) {
  const std::string not_finite = "the bodies are no longer finite numbers: the step";
  const std::string full = "plain: standard output cannot be written";
  const BadEnd rows[] = {
      // 1e30 s is beyond float's range; in double one step throws the bodies 1e300 m away.
      {"$plain --scene two-body -i 3 --dt 1e30", 1, not_finite, not_finite},
      {"$plain --scene two-body -i 3 --dt 1e300 --precision double", 1, not_finite, not_finite},
      {"$plain --scene two-body -i 5 --dt 1e30 -w out",
       2,
       "cannot be written: try a smaller time step or a softening",
       "bodies",
       {"out.0.dat"}},
      {"$plain -n 5 -i 1 --every 2", 2, "--every needs -w BASE or --log FILE", ""},
      {"$plain -n 5 -i 1 --mdt 100", 2, "--mdt is the shortest adaptive time step: add --vdt", ""},
      // Ctrl-C, once and twice: an iteration of many bodies takes minutes.
      {begin + "-n 200 -i 1000000000 --log log.csv --every 1000000000" + interrupt + end,
       130,
       "",
       "written     log.csv, 2 rows\n",
       {"log.csv"}},
      {begin + "-n 200 -i 1000000000 -v -w out --every 1000000000" + interrupt +
           "await speed; rm out.*;" + end,
       130, "", " of 1000000000 iterations\n"},
      {begin + "-n 300000 -i 1 -w out" + interrupt + "await Ctrl-C again; kill -INT $!;" + end,
       130,
       "",
       "stopping after this iteration (Ctrl-C again: at once)\n",
       {"out.0.dat"}},
      // Disks that are full.
      {"trap '' XFSZ; ulimit -f 1; $plain -n 5 -i 20 --log log.csv >/dev/null; status=$?; [ -z "
       "\"$(tail -c 1 log.csv)\" ] && exit $status",
       2,
       "log.csv: cannot be written (disk full?)",
       "",
       {"log.csv"}},
      {"$plain -n 5 -i 300 -v >/dev/full", 2, full, ""},
      {"$plain -n 5 -i 3 >/dev/full", 2, full, ""},
      {"$plain --help >&-", 2, full, ""},
      {"$plain --version >/dev/full", 2, full, ""}};
  for (const auto& [lines, status, err, out, files] : rows) {
    const TestFolder folder;
    const Outcome outcome = shell(folder, lines);
    SCOPED_TRACE(lines + outcome.out + outcome.err);
    EXPECT_EQ(outcome.status, status);
    EXPECT_NE(outcome.err.find(err), std::string::npos);
    EXPECT_NE(outcome.out.find(out), std::string::npos);
    EXPECT_EQ(folder.contents(), files);
  }
}

}  // namespace
}  // namespace nbody
