// A program as a person meets it: what it refuses, prints and writes, Ctrl-C, exit status.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/body_file.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

// --- what is typed wrong, and what is wrong around the program: files, folders, disks, memory

struct Refusal {
  std::string arguments;
  std::string fragment;     // of the one line on standard error
  std::string before = "";  // the program
};

void PrintTo(const Refusal& row, std::ostream* out) { *out << row.before << " " << row.arguments; }

// Root could do everything.
const std::string nobody =
    "nobody() { [ $(id -u) = 0 ] || { \"$@\"; return; }; setpriv --reuid 65534 --regid 65534 "
    "--clear-groups \"$@\"; }; nobody";
const std::string full_disk = "trap '' XFSZ; ulimit -f 4;";

// clang-format off
const Refusal refusals[] = {
    // Numbers.
    {"-i 1 -n 0", "-n: needs a whole number from 1 to 134217728, not '0'"},
    {"-i 1 -n -5", "-n: needs a whole number from 1 to 134217728, not '-5'"},
    {"-i 1 -n 1e3", "-n: needs a whole number"},
    {"-i 1 -n ''", "-n: needs a whole number"},
    {"-i 1 -n 18446744073709551617", "-n: needs a whole number"},
    {"-i 1 -n \"$(printf '5\\n6')\"", "not '5\\x0a6'"},
    {"-n 5 -i 1.5", "-i: needs a whole number from 1"},
    {"-n 5 -i 1 --seed -1", "--seed: needs a whole number from 0"},
    {"-n 5 -i 1 --every 0", "--every: needs a whole number from 1"},
    {"-n 5 -i 1 --threads 5000", "--threads: needs a whole number from 1 to 4096, not '5000'"},
    {"-n 5 -i 1 --damping nan", "--damping: needs a number from 0 to 1, not 'nan'"},
    {"-n 5 -i 1 --dt inf", "--dt: needs a number from 1e-300 to 1e+300, not 'inf'"},
    {"-n 5 -i 1 --dt --vdt", "--dt: needs a number from 1e-300 to 1e+300, not '--vdt'"},
    {"-n 5 -i 1 --mdt -200", "--mdt: needs a number from 0"},
    {"-n 5 -i 1 --soft -1", "--soft: needs a number from 0"},
    {"-n 5 -i 1 --soft 1e300", "(--soft) is too large for this precision"},
    {"-n 5 -i 1 --G -1", "--G: needs a number from 0"},
    // Words.
    {"-n 5 -i 1 --precision half", "--precision: half not in {float,double}"},
    {"-n 5 -i 1 --integrator leapfrog", "unknown integrator 'leapfrog': known are eq45"},
    {"-n 5 --bogus 3 -i 1", "--bogus 3 is not expected here; --help lists the options"},
    {"-n 5 -i 1 extra", "extra is not expected here; --help lists the options"},
    {"-n 5 -i 1 --block 64", "--block"},  // of others
    {"-n 5 -i 1 -i 2", "-i: "},
    {"-n 5 -i", "-i: 1 required ITERATIONS"},
    {"-n 5 -i 1 --log ''", "--log: needs the name of a file"},
    {"-n 5 -i 1 -w new/", "-w: needs the beginning of its file names, for example out/orbit, not"},
    // Scenes and combinations.
    {"--scene unknown -n 5 -i 1", "unknown scene 'unknown': known are random"},
    {"--scene lagrange -n 4 -i 1", "scene lagrange has 3 bodies, not 4"},
    {"--scene plummer -i 1", "scene plummer has 1 to 134217728 bodies, not 0 (-n)"},
    {"--scene plummer -n 5 -i 1 --box 2", "scene plummer has no box to resize: leave out --box"},
    {"-f two.dat -n 5 -i 1", "-f excludes -n"},
    {"-f two.dat --scene random -i 1", "-f excludes --scene"},
    {"-i 1", "which bodies? Add -f FILE, or -n N, or --scene NAME"},
    {"-n 5", "how many time steps? Add -i ITERATIONS"},
    // Files to read.
    {"-f none.dat -i 1", "none.dat: cannot be read (No such file or directory): check the name"},
    {"-f . -i 1", "cannot be read (Is a directory): check the name"},
    {"-f mine.dat -i 1", "mine.dat: cannot be read (Permission denied): check the name", nobody},
    {"-f bad.dat -i 1", "bad.dat:3: mass of record 2 is '0'"},
    {"-f two.dat -i 1", "bodies 0 and 1 (counted from 0) are at the same place"},
    // Files to write.
    {"-n 5 -i 1 -w closed/new/out", "-w: closed/new/out.0.dat: cannot be written", nobody},
    {"-n 5 -i 1 -w new/newer/out", "cannot be written (no folder new/newer)"},
    {"-n 5 -i 1 -w taken", "taken.0.dat: cannot be written (Is a directory)"},
    {"-n 5 -i 1 --log bad.dat/out", "--log: bad.dat/out: cannot be written (Not a directory)"},
    {"-n 500 -i 2", "state.0.dat: cannot be written (File too large)", full_disk},
    {"-n 5 -i 1", "/no/where (LAB_FRAMES) cannot be written", "LAB_FRAMES=/no/where"},
    // Memory.
    {"-n 134217728 -i 1", "is more than the memory of this machine holds", "ulimit -v 4194304;"},
    {"-n 2000000 -i 1", "not enough memory: use fewer bodies (-n)", "ulimit -d 204800;"},
};
// clang-format on

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, InOneLineAndNothingIsWritten) {
  const auto& [arguments, fragment, before] = GetParam();
  if (PROGRAM_IS_SANITIZED && before.starts_with("ulimit")) GTEST_SKIP() << "needs address space";
  const TestFolder folder;
  shell(folder,
        "chmod 755 .; printf '2\\n1 1 0 0 0 0 0 0\\n1 1 0 0 0 1 0 0\\n' >two.dat\n"
        "printf '2\\n1 1 0 0 0 0 0 0\\n0 1 5 0 0 0 0 0\\n' >bad.dat\n"
        "cp two.dat mine.dat; chmod 000 mine.dat; mkdir taken.0.dat closed; chmod 555 closed");
  const auto contents = folder.contents();
  // Behind an option that writes.
  const bool writes = (" " + arguments).find(" -w") != std::string::npos;
  const Outcome outcome =
      shell(folder, before + " $plain " + (writes ? "" : "-w state ") + arguments);
  if (before == nobody && outcome.status == 126) GTEST_SKIP() << "nobody may not run the program";
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("plain: ")) << outcome.err;
  EXPECT_NE(outcome.err.find(fragment), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.contents(), contents);
}

INSTANTIATE_TEST_SUITE_P(Simulator, Refused, testing::ValuesIn(refusals));

// --- runs

using Words = std::vector<std::string>;

struct Row {
  std::string lines;
  int status;
  Words said, files = {};  // parts of what is printed; all that is left behind
};

// In the background, with all that it prints in the file `said`; `await WORDS` waits for some.
const std::string begin =
    "ulimit -t 60; await() { for k in $(seq 600); do grep -q \"$*\" said && return; sleep 0.05; "
    "done; }; $plain ";
const std::string interrupt = " >said 2>&1 & await built by; sleep 0.3; kill -INT $!; ";
const std::string end = " wait $!; status=$?; cat said; rm said; exit $status";

TEST(Run, PrintsAndWritesWhatIsAskedFor) {
  const std::string not_finite = "the bodies are no longer finite numbers: the step";
  const std::string full = "plain: standard output cannot be written";
  const Row rows[] = {
      {"$plain -n 4 -i 3 -w new/out",
       0,
       {"written     new/out.3.dat, the last of 4 states\n"},
       {"new", "new/out.0.dat", "new/out.1.dat", "new/out.2.dat", "new/out.3.dat"}},
      {"$plain -n 4 -i 10 -w out --every 4",
       0,
       {},
       {"out.0.dat", "out.10.dat", "out.4.dat", "out.8.dat"}},
      {"$plain -n 4 -i 5 -v -w out --every 2",
       0,
       {"dE/E0"},
       {"out.0.dat", "out.2.dat", "out.4.dat", "out.5.dat"}},
      {"$plain -n 4 -i 10 -w out --every 18446744073709551615", 0, {}, {"out.0.dat", "out.10.dat"}},
      {"$plain -f " DATA_FOLDER "/earth_moon_sun.dat -i 4 --dt 86400 -v",
       0,
       {"time step   86400 s\n", " dt s ", "1d 00h 00m 00s", "4d 00h 00m 00s"}},
      // Units of its own have no name.
      {"$plain --scene two-body -i 500 -v",
       0,
       {"time step   0.001\n", "simulated   0.5\n", "  dt "}},
      {"$plain --scene two-body -i 1 --vdt", 0, {"adaptive, at least 1e-06\n"}},
      {"$plain -n 1 -i 2 --vdt --dt 50 --mdt 0", 0, {"bodies      1 (scene random, seed 1)\n"}},
      {"$plain -n 2 -i 1 --threads 2 --nv", 0, {"threads     2 at most", "interactions/s"}},
      {"$plain --version", 0, {"N-body performance lab ", ", test/plain, "}},
      {"$plain -h", 0, {"  -f FILE", "  --vdt", "galaxy", "yoshida4", "  --threads"}},
      {"$plain -n 5 -i 1 --every 2", 2, {"--every needs -w BASE or --log FILE"}},
      {"$plain -n 5 -i 1 --mdt 100", 2, {"--mdt is the shortest adaptive time step: add --vdt"}},
      // 1e30 s is beyond float's range; in double one step throws the bodies 1e300 m away.
      {"$plain --scene two-body -i 3 --dt 1e30", 1, {"  " + not_finite, "plain: " + not_finite}},
      {"$plain --scene two-body -i 3 --dt 1e300 --precision double", 1, {not_finite}},
      {"$plain --scene two-body -i 5 --dt 1e30 -w out",
       2,
       {"cannot be written: try a smaller time step or a softening"},
       {"out.0.dat"}},
      // Ctrl-C, once and twice: an iteration of many bodies takes minutes.
      {begin + "-n 200 -i 1000000000 --log log.csv --every 1000000000" + interrupt + end,
       130,
       {" of 1000000000 iterations\n", "written     log.csv, 2 rows\n"},
       {"log.csv"}},
      {begin + "-n 300000 -i 1 -w out" + interrupt + "await Ctrl-C again; kill -INT $!;" + end,
       130,
       {"stopping after this iteration (Ctrl-C again: at once)\n"},
       {"out.0.dat"}},
      // Its reader goes: that ends the run.
      {"LAB_FRAMES=/dev/full $plain -n 5 -i 1000000000", 130, {"interrupted after "}},
      // Disks that are full.
      {"trap '' XFSZ; ulimit -f 1; $plain -n 5 -i 20 --log log.csv; status=$?; [ -z \"$(tail -c 1 "
       "log.csv)\" ] && exit $status",
       2,
       {"log.csv: cannot be written (disk full?)"},
       {"log.csv"}},
      {"$plain -n 5 -i 300 -v >/dev/full", 2, {full}},
      {"$plain -n 5 -i 3 >/dev/full", 2, {full}},
      {"$plain --help >&-", 2, {full}}};
  for (const auto& [lines, status, said, files] : rows) {
    const TestFolder folder;
    const Outcome outcome = shell(folder, lines);
    SCOPED_TRACE(lines + outcome.out + outcome.err);
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.err.empty(), status == 0 || status == 130);
    for (const std::string& text : said) {
      EXPECT_NE((outcome.out + outcome.err).find(text), std::string::npos) << text;
    }
    EXPECT_EQ(folder.contents(), files);
  }
}

// Returns standard output.
std::string run(const TestFolder& folder, const std::string& arguments) {
  const Outcome outcome = shell(folder, "$plain " + arguments);
  EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
  return outcome.out;
}

std::vector<Words> rows_of_log(const TestFolder& folder) {
  std::vector<Words> rows;
  std::istringstream lines(text_of(folder / "log.csv"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// A row for the start, for every fourth iteration and for the last one.
TEST(Log, HasWhatIsConserved) {
  const TestFolder folder;
  run(folder, "--scene two-body -i 10 --dt 0.125 --integrator yoshida4 --log log.csv --every 4");
  const std::vector<Words> rows = rows_of_log(folder);
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

// The relative error of the energy in each line, the last of which is that of the summary. Energy
// and smallest distance visit all pairs: with many bodies they would take longer than the run.
TEST(Log, AndEachIterationHaveTheEnergyUpToManyBodies) {
  const TestFolder folder;
  std::string out = run(folder, "-n 300 -i 8 -v --log log.csv");
  std::vector<Words> rows = rows_of_log(folder);
  const double start = std::stod(rows.at(1).at(3));
  for (int k = 1; k <= 8; ++k) {
    const std::size_t line = out.find("\n         " + std::to_string(k) + " ");
    ASSERT_NE(line, std::string::npos) << out;
    const std::string last_word = out.substr(out.find('\n', line + 1) - 9, 9);
    const double expected = (std::stod(rows.at(k + 1).at(3)) - start) / std::abs(start);
    EXPECT_NEAR(std::stod(last_word), expected, 0.06 * std::abs(expected)) << k;
  }
  out = run(folder, "--scene plummer -n 16385 -i 1 -v --log log.csv");
  EXPECT_EQ(out.find("  energy "), std::string::npos) << out;
  rows = rows_of_log(folder);
  for (std::size_t cell = 0; cell < 13; ++cell) {
    EXPECT_EQ(rows.at(2).at(cell).empty(), cell == 3 || cell == 10) << cell;
  }
}

TEST(Files, CarryBodiesSettingNamesAndTime) {
  const TestFolder folder;
  run(folder,
      "--scene lagrange -i 20 --dt 0.25 --soft 0.125 --mdt 0.5 --G 2 --integrator kdk "
      "--damping 0.5 -w out --every 10");
  const Scene start = read_body_file(folder / "out.0.dat");
  const Setting setting = {
      .G = 2, .softening = 0.125, .dt = 0.25, .dt_floor = 0.5, .integrator = "kdk", .damping = 0.5};
  EXPECT_EQ(start, (Scene{make_scene("lagrange", 0, 1).bodies, setting, 0}));
  const Scene later = read_body_file(folder / "out.20.dat");
  EXPECT_EQ(later.setting, setting);
  EXPECT_EQ(later.time, 5);
  EXPECT_EQ(later.bodies.mass, start.bodies.mass);
  EXPECT_NE(later.bodies.qx, start.bodies.qx);
  run(folder, "-f " DATA_FOLDER "/earth_moon_sun.dat -i 2 -w named");
  const std::map<std::size_t, std::string> names = {{0, "Sun"}, {1, "Earth"}, {2, "Moon"}};
  EXPECT_EQ(read_body_file(folder / "named.2.dat").names, names);
}

// From scenes in SI units and in others; the second run scales by the bodies it finds. How many
// steps are taken at a time depends on the clock, and -v takes one: what is written must not.
TEST(Files, LetARunGoOnBitForBit) {
  const TestFolder folder;
  for (const std::string precision : {"float", "double"}) {
    for (const std::string step : {" --nv", " --vdt"}) {
      for (const std::string scene : {"plummer", "random"}) {
        const std::string options = step + " --every 100 --precision " + precision;
        SCOPED_TRACE(scene + options);
        run(folder, "--scene " + scene + " -n 30 -i 200 -w whole" + options);
        run(folder, "-f whole.100.dat -i 100 -v -w again" + options);
        const Scene whole = read_body_file(folder / "whole.200.dat");
        const Scene again = read_body_file(folder / "again.100.dat");
        EXPECT_EQ(again.bodies, whole.bodies);
        EXPECT_EQ(again.setting, whole.setting);
        EXPECT_NEAR(again.time, whole.time, 1e-12 * whole.time);
        EXPECT_NE(whole.bodies, read_body_file(folder / "whole.100.dat").bodies);
      }
    }
  }
  run(folder, "--scene two-body -i 1000 --dt 0.1 --every 1000 -w out");
  EXPECT_EQ(read_body_file(folder / "out.1000.dat").time, 100);
}

TEST(Frames, OneAnIterationAndTheLastWithItsEnergy) {
  const TestFolder folder;
  EXPECT_EQ(shell(folder, "LAB_FRAMES=frames $plain -n 5 -i 3").status, 0);
  std::istringstream frames(text_of(folder / "frames"));
  nlohmann::json header;
  std::string line;
  for (int iteration = 0; iteration <= 3; ++iteration) {
    ASSERT_TRUE(std::getline(frames, line));
    header = nlohmann::json::parse(line);
    EXPECT_EQ(header["iteration"], iteration);
    EXPECT_EQ(header["n"], 5);
    float columns[6][5];
    ASSERT_TRUE(frames.read(reinterpret_cast<char*>(columns), sizeof columns));
    EXPECT_EQ(*std::max_element(columns[0], columns[0] + 5), 1);
    EXPECT_GT(columns[4][0], 0);
    EXPECT_EQ(columns[5][0] > 0, iteration > 0);
  }
  EXPECT_NE(header["energy_error"], 0);
  EXPECT_FALSE(std::getline(frames, line));
}

}  // namespace
}  // namespace nbody
