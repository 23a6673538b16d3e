// A program as a person meets it: what it refuses, prints and writes, Ctrl-C, exit status.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/body_file.hpp"
#include "core/scenes.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

struct Refusal {
  std::string arguments, fragment;  // of the one line on standard error
  std::string before = "";          // the program
};

// clang-format off
const Refusal refusals[] = {
    {"-n \"$(printf '5\\n6')\" -i 1", "-n: Value 5\\x0a6 not in range"},
    {"-n 5 -i 1 --damping nan", "--damping: needs a number from 0 to 1, not 'nan'"},
    {"-n 5 -i 1 --dt --vdt", "--dt: needs a number from 1e-300 to 1e+300, not '--vdt'"},
    {"-n 5 -i 1 --mdt 100", "--mdt requires --vdt"},
    {"-n 5 -i 1 --integrator leapfrog", "unknown integrator 'leapfrog': known are eq45"},
    {"-n 5 --bogus 3 -i 1", "not expected: 3 --bogus; --help lists the options"},
    {"-f two.dat -n 5 -i 1", "-f excludes -n"},
    {"-n 5 -i 1 --seed -1", "--seed: needs a whole number from 0 on, not '-1'"},
    {"-n 5 -i 1 -w ''", "-w: needs the name of a file, as in data/out/run, not ''"},
    {"-n 5 -i 1 -w new/", "-w: needs the name of a file, as in data/out/run, not 'new/'"},
    {"-n 5 -i 1 --log new/", "--log: needs the name of a file, as in data/out/run, not 'new/'"},
    {"-n 5 -i 1 --every 2", "--every needs files to write: add -w BASE or --log FILE"},
    {"-i 1", "which bodies? Add -f FILE, or -n N, or --scene NAME"},
    {"-n 5", "how many time steps? Add -i ITERATIONS"},
    {"-f bad.dat -i 1", "bad.dat:3: mass of record 2 is '0'"},
    {"-f two.dat -i 1", "bodies 0 and 1 (counted from 0) are at the same place"},
    {"-n 5 -i 1 -w new/newer/out", "cannot be written (no folder new/newer)"},
    {"-n 5 -i 1 --log bad.dat/out", "--log: bad.dat/out: cannot be written (Not a directory)"},
    {"-n 500 -i 2", "state.0.dat: cannot be written (File too large)", "trap '' XFSZ; ulimit -f 4;"},
    {"-n 5 -i 1", "/no/where (LAB_FRAMES) cannot be written", "LAB_FRAMES=/no/where"},
    {"-n 2000000 -i 1", "not enough memory: use fewer bodies (-n)", "ulimit -d 204800;"},
};
// clang-format on

TEST(Program, RefusesInOneLineAndWritesNothing) {
  for (const auto& [arguments, fragment, before] : refusals) {
    if (PROGRAM_IS_SANITIZED && before.starts_with("ulimit")) continue;  // it needs address space
    const TestFolder folder;
    shell(folder,
          "printf '2\\n1 1 0 0 0 0 0 0\\n1 1 0 0 0 1 0 0\\n' >two.dat\n"
          "printf '2\\n1 1 0 0 0 0 0 0\\n0 1 5 0 0 0 0 0\\n' >bad.dat");
    const auto contents = folder.contents();
    // Behind an option that writes.
    const bool writes =
        arguments.find(" -w") != std::string::npos || arguments.ends_with("--every 2");
    const Outcome outcome =
        shell(folder, before + " $naive " + (writes ? "" : "-w state ") + arguments);
    SCOPED_TRACE(before + arguments + outcome.err);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    EXPECT_TRUE(outcome.err.starts_with("naive: "));
    EXPECT_NE(outcome.err.find(fragment), std::string::npos);
    EXPECT_EQ(folder.contents(), contents);
  }
}

struct Row {
  std::string lines;
  int status;
  std::string said, files = "";  // parts of what is printed, with | between; all that is left
};

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

// In the background, until it has printed what it does.
const std::string begin = "ulimit -t 60; $naive ";
const std::string interrupt =
    " >said 2>&1 & until grep -qs 'built by' said; do sleep 0.05; done; sleep 0.3; kill -INT $!; ";
const std::string end = " wait $!; status=$?; cat said; rm said; exit $status";

// clang-format off
const Row rows[] = {
    {"$naive -n 4 -i 3 -w new/out --nv", 0, "simulated   0d 03h 00m 00s|interactions/s",
     "new new/out.0.dat new/out.1.dat new/out.2.dat new/out.3.dat"},
    {"$naive -n 4 -i 5 -v -w out --every 2 --threads 2", 0,
     "dE/E0|threads     2 at most|bodies      4 (scene random, seed 1)\n",
     "out.0.dat out.2.dat out.4.dat out.5.dat"},
    {"$naive -f " DATA_FOLDER "/earth_moon_sun.dat -i 4 --dt 86400 -v", 0,
     "time step   86400 s\n| dt s |1d 00h 00m 00s|4d 00h 00m 00s"},
    // Units of its own have no name.
    {"$naive --scene two-body -i 500 -v", 0, "time step   0.001\n|simulated   0.5\n|  dt "},
    {"$naive -h", 0, "  -f |  --vdt|galaxy|yoshida4|  --threads"},
    {"$naive --scene two-body -i 3 --dt 1e30", 1, "naive: the bodies are no longer"},
    {"$naive --scene two-body -i 5 --dt 1e30 -w out", 2,
     "cannot be written: try a smaller time step or a softening", "out.0.dat"},
    // Ctrl-C, once and twice: an iteration of many bodies takes minutes.
    {begin + "-n 200 -i 1000000000 --log log.csv --every 1000000000" + interrupt + end, 130,
     " of 1000000000 iterations\n", "log.csv"},
    {begin + "-n 300000 -i 1" + interrupt + "sleep 0.3; kill -INT $!;" + end, 130, ""},
    // Its reader goes: that ends the run.
    {"LAB_FRAMES=/dev/full $naive -n 5 -i 1000000000", 130, "interrupted after "},
    // Disks that are full.
    {"$naive -n 5 -i 20 --log /dev/full", 2, "--log: /dev/full: cannot be written (No space"},
    {"$naive -n 5 -i 3 >/dev/full", 2, "naive: standard output cannot be written"}};
// clang-format on

TEST(Run, PrintsAndWritesWhatIsAskedFor) {
  for (const auto& [lines, status, said, files] : rows) {
    const TestFolder folder;
    const Outcome outcome = shell(folder, lines);
    SCOPED_TRACE(lines + outcome.out + outcome.err);
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.err.empty(), status == 0 || status == 130);
    for (const std::string& text : parts_of(said, '|')) {
      EXPECT_NE((outcome.out + outcome.err).find(text), std::string::npos) << text;
    }
    EXPECT_EQ(folder.contents(), parts_of(files, ' '));
  }
}

// Returns standard output.
std::string run(const TestFolder& folder, const std::string& arguments) {
  const Outcome outcome = shell(folder, "$naive " + arguments);
  EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
  return outcome.out;
}

// A row for the start, for every fourth iteration and for the last one. Energy and smallest
// distance visit all pairs: with many bodies they would take longer than the run.
TEST(Log, HasWhatIsConserved) {
  const TestFolder folder;
  const auto logged = [&] { return parts_of(text_of(folder / "log.csv"), '\n'); };
  run(folder, "--scene two-body -i 10 --dt 0.125 --integrator yoshida4 --log log.csv --every 4");
  const std::string begins[] = {"iteration,time,dt,energy,energy_error,", "0,0,0,-0.09",
                                "4,0.5,0.125,-0.09", "8,1,0.125,-0.09", "10,1.25,0.125,-0.09"};
  const auto lines = logged();
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_TRUE(lines[k].starts_with(begins[k])) << lines[k];
  const auto first = parts_of(lines[1], ','), fourth = parts_of(lines[2], ',');
  const double start = std::stod(first.at(3));
  EXPECT_EQ(first.at(4), "0");
  EXPECT_DOUBLE_EQ(std::stod(fourth.at(4)), (std::stod(fourth.at(3)) - start) / -start);
  EXPECT_EQ(first.at(11), "1.25");                  // apart, the farthest of their orbits
  EXPECT_EQ(parts_of(lines[4], ',').at(12), "31");  // 3 per step, and one before the first
  run(folder, "--scene plummer -n 16385 -i 1 --log log.csv");
  const auto last = parts_of(logged().back(), ',');
  for (std::size_t k = 0; k < 14; ++k) {
    EXPECT_EQ(last.at(k).empty(), k == 3 || k == 4 || k == 11) << k;
  }
}

// From scenes in SI units and in others; the second run scales by the bodies it finds. How many
// steps are taken at a time depends on the clock, and -v takes one: what is written must not.
TEST(Files, LetARunGoOnBitForBit) {
  const TestFolder folder;
  for (const std::string options : {"float --nv", "float --vdt", "double --nv", "double --vdt"}) {
    for (const std::string scene :
         {"--scene plummer -n 30 --dt 0.01 --soft 0.5 --damping 0.99", "-n 30 --soft 0.5",
          "-f " DATA_FOLDER "/earth_moon_sun.dat --dt 60 --soft 0.5 --damping 0.75"}) {
      const std::string all = " --every 100 --precision " + options;
      SCOPED_TRACE(scene + all);
      run(folder, scene + " -i 200 -w whole" + all);
      run(folder, "-f whole.100.dat -i 100 -v -w again" + all);
      const Scene whole = read_body_file(folder / "whole.200.dat");
      const Scene again = read_body_file(folder / "again.100.dat");
      EXPECT_EQ(again.bodies, whole.bodies);
      EXPECT_EQ(again.setting, whole.setting);
      EXPECT_EQ(again.setting.softening, 0.5);
      EXPECT_EQ(again.names, whole.names);
      EXPECT_EQ(again.names.empty(), scene[1] != 'f');
      EXPECT_NEAR(again.time, whole.time, 1e-12 * whole.time);
      EXPECT_NE(whole.bodies, read_body_file(folder / "whole.100.dat").bodies);
    }
  }
}

}  // namespace
}  // namespace nbody
