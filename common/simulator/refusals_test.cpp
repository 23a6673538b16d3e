// What is typed wrong, and what is wrong around the program: files, folders, disks, memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

struct Row {
  std::string arguments;
  std::string fragment;     // of the one line on standard error
  std::string before = "";  // the program
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.before << " " << row.arguments; }

// Root could do everything.
const std::string nobody =
    "nobody() { [ $(id -u) = 0 ] || { \"$@\"; return; }; setpriv --reuid 65534 --regid 65534 "
    "--clear-groups \"$@\"; }; nobody";
const std::string full_disk = "trap '' XFSZ; ulimit -f 4;";

// clang-format off
const Row rows[] = {
    // Numbers.
    {"-i 1 -n 0", "-n: needs a whole number from 1 to 134217728, not '0'"},
    {"-i 1 -n -5", "-n: needs a whole number from 1 to 134217728, not '-5'"},
    {"-i 1 -n abc", "-n: needs a whole number"},
    {"-i 1 -n 1e3", "-n: needs a whole number"},
    {"-i 1 -n +5", "-n: needs a whole number"},
    {"-i 1 -n ''", "-n: needs a whole number"},
    {"-i 1 -n 134217729", "-n: needs a whole number"},
    {"-i 1 -n 18446744073709551617", "-n: needs a whole number"},
    {"-i 1 -n \"$(printf '5\\n6')\"", "not '5\\x0a6'"},
    {"-n 5 -i 0", "-i: needs a whole number from 1"},
    {"-n 5 -i 1.5", "-i: needs a whole number from 1"},
    {"-n 5 -i 1 --seed -1", "--seed: needs a whole number from 0"},
    {"-n 5 -i 1 --every 0", "--every: needs a whole number from 1"},
    {"-n 5 -i 1 --threads 0", "--threads: needs a whole number from 1 to 4096, not '0'"},
    {"-n 5 -i 1 --threads 5000", "--threads: needs a whole number from 1 to 4096, not '5000'"},
    {"-n 5 -i 1 --damping nan", "--damping: needs a number from 0 to 1, not 'nan'"},
    {"-n 5 -i 1 --damping 1.5", "--damping: needs a number from 0 to 1, not '1.5'"},
    {"-n 5 -i 1 --dt 0", "--dt: needs a number from 1e-300 to 1e+300, not '0'"},
    {"-n 5 -i 1 --dt inf", "--dt: needs a number from 1e-300 to 1e+300, not 'inf'"},
    {"-n 5 -i 1 --dt 1.5f", "--dt: needs a number"},
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
    {"-n 5 -i 1 -f ''", "-f: needs the name of a file"},
    {"-n 5 -i 1 --log ''", "--log: needs the name of a file"},
    {"-n 5 -i 1 -w ''", "-w: needs the beginning of its file names, for example out/orbit, not ''"},
    {"-n 5 -i 1 -w ..", "-w: needs the beginning of its file names"},
    {"-n 5 -i 1 -w new/", "-w: needs the beginning of its file names"},
    // Scenes.
    {"--scene unknown -n 5 -i 1", "unknown scene 'unknown': known are random"},
    {"--scene lagrange -n 4 -i 1", "scene lagrange has 3 bodies, not 4"},
    {"--scene plummer -i 1", "scene plummer has 1 to 134217728 bodies, not 0 (-n)"},
    {"--scene plummer -n 5 -i 1 --box 2", "scene plummer has no box to resize: leave out --box"},
    {"--scene six -i 1 --box 0", "--box: needs a number"},
    // Combinations.
    {"-f two.dat -n 5 -i 1", "-f excludes -n"},
    {"-f two.dat --scene random -i 1", "-f excludes --scene"},
    {"-f two.dat --seed 1 -i 1", "-f excludes --seed"},
    {"-f two.dat --box 2 -i 1", "-f excludes --box"},
    {"-i 1", "which bodies? Add -f FILE, or -n N, or --scene NAME"},
    {"-n 5", "how many time steps? Add -i ITERATIONS"},
    // Files to read.
    {"-f none.dat -i 1", "none.dat: cannot be read (No such file or directory): check the name"},
    {"-f . -i 1", "cannot be read (Is a directory): check the name"},
    {"-f mine.dat -i 1", "mine.dat: cannot be read (Permission denied): check the name", nobody},
    {"-f bad.dat -i 1", "bad.dat:3: mass of record 2 is '0'"},
    {"-f two.dat -i 1", "bodies 0 and 1 (counted from 0) are at the same place"},
    {"-f two.dat -i 1 --soft 1e-30", "bodies 0 and 1 (counted from 0) are at the same place"},
    // Files to write.
    {"-n 5 -i 1 -w closed/out", "-w: closed/out.0.dat: cannot be written (Permission", nobody},
    {"-n 5 -i 1 -w closed/new/out", "-w: closed/new/out.0.dat: cannot be written", nobody},
    {"-n 5 -i 1 -w new/newer/out", "cannot be written (no folder new/newer)"},
    {"-n 5 -i 1 -w taken", "taken.0.dat: cannot be written (Is a directory)"},
    {"-n 5 -i 1 --log taken.0.dat", "--log: taken.0.dat: cannot be written (Is a directory)"},
    {"-n 5 -i 1 --log bad.dat/out", "bad.dat/out: cannot be written (Not a directory)"},
    {"-n 500 -i 2", "state.0.dat: cannot be written (File too large)", full_disk},
    // Memory.
    {"-n 134217728 -i 1", "is more than the memory of this machine holds", "ulimit -v 4194304;"},
    {"-n 2000000 -i 1", "not enough memory: use fewer bodies (-n)", "ulimit -d 204800;"},
};
// clang-format on

class Refused : public testing::TestWithParam<Row> {};

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

INSTANTIATE_TEST_SUITE_P(Simulator, Refused, testing::ValuesIn(rows));

}  // namespace
}  // namespace nbody
