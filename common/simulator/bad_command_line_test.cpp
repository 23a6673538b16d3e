#include <gtest/gtest.h>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Words = std::vector<std::string>;

struct Bad {
  Words words;
  std::string fragment;
};

// Behind the options that write: whatever is wrong, nothing may have been written.
void expect_all_refused(const std::vector<Bad>& cases) {
  for (const Bad& bad : cases) {
    const TestFolder folder;
    Words words = {"--json", folder / "summary.json", "-w", folder / "state"};
    words.insert(words.end(), bad.words.begin(), bad.words.end());
    SCOPED_TRACE(testing::PrintToString(bad.words));
    expect_refusal(run_program(words), bad.fragment);
    EXPECT_EQ(folder.contents(), Words{});
  }
}

TEST(BadCommandLine, Numbers) {
  expect_all_refused({
      {{"-i", "1", "-n", "0"}, "-n needs a whole number from 1 to 134217728, not '0'"},
      {{"-i", "1", "-n", "-5"}, "-n needs a whole number from 1 to 134217728, not '-5'"},
      {{"-i", "1", "-n", "abc"}, "-n needs a whole number"},
      {{"-i", "1", "-n", "1e3"}, "-n needs a whole number"},
      {{"-i", "1", "-n", "+5"}, "-n needs a whole number"},
      {{"-i", "1", "-n", ""}, "-n needs a whole number"},
      {{"-i", "1", "-n", "134217729"}, "-n needs a whole number from 1 to 134217728"},
      {{"-i", "1", "-n", "18446744073709551617"}, "-n needs a whole number"},
      {{"-n", "5", "-i", "0"}, "-i needs a whole number from 1"},
      {{"-n", "5", "-i", "-1"}, "-i needs a whole number from 1"},
      {{"-n", "5", "-i", "1", "--seed", "-1"}, "--seed needs a whole number from 0"},
      {{"-n", "5", "-i", "1", "--every", "0"}, "--every needs a whole number from 1 up, not '0'"},
      {{"-n", "5", "-i", "1", "--damping", "nan"},
       "--damping needs a number from 0 to 1, not 'nan'"},
      {{"-n", "5", "-i", "1", "--damping", "1.5"},
       "--damping needs a number from 0 to 1, not '1.5'"},
      {{"-n", "5", "-i", "1", "--threads", "0"}, "--threads needs a whole number from 1 to 4096"},
      {{"-n", "5", "-i", "1", "--threads", "1e9"}, "--threads needs a whole number from 1"},
      {{"-n", "5", "-i", "1", "--threads", "5000"}, "--threads needs a whole number from 1"},
      {{"-n", "5", "-i", "1", "--dt", "0"}, "--dt needs a finite number > 0, not '0'"},
      {{"-n", "5", "-i", "1", "--dt", "-1"}, "--dt needs a finite number > 0, not '-1'"},
      {{"-n", "5", "-i", "1", "--dt", "nan"}, "--dt needs a finite number > 0, not 'nan'"},
      {{"-n", "5", "-i", "1", "--dt", "inf"}, "--dt needs a finite number > 0, not 'inf'"},
      {{"-n", "5", "-i", "1", "--dt", "abc"}, "--dt needs a finite number > 0, not 'abc'"},
      {{"-n", "5", "-i", "1", "--dt", "1.5f"}, "--dt needs a finite number > 0"},
      {{"-n", "5", "-i", "1", "--dt", "--vdt"}, "--dt needs a finite number > 0, not '--vdt'"},
      {{"-n", "5", "-i", "1", "--mdt", "-200"}, "--mdt needs a finite number >= 0"},
      {{"-n", "5", "-i", "1", "--soft", "-1"}, "--soft needs a finite number >= 0, not '-1'"},
      {{"-n", "5", "-i", "1", "--soft", "1e300"}, "(--soft) is too large for this precision"},
      {{"-n", "5", "-i", "1", "--G", "-1"}, "--G needs a finite number >= 0, not '-1'"},
  });
}

TEST(BadCommandLine, Words) {
  expect_all_refused({
      {{"-n", "5", "-i", "1", "--precision", "half"}, "--precision needs float or double"},
      {{"-n", "5", "-i", "1", "--bogus"}, "--bogus; --help lists the options"},
      {{"-n", "5", "-i", "1", "extra"}, "extra; --help lists the options"},
      {{"-n", "5", "-i", "1", "--config", "x"}, "--config; --help lists the options"},
      {{"-n", "5", "-i", "1", "-f", ""}, "-f needs the name of a file"},
      {{"-n", "5", "-i", "1", "-i", "2"}, "-i is given 2 times: keep one; --help"},
      {{"-n", "5", "-i"}, "-i needs a value: -i ITERATIONS; --help"},
      {{"-n", "5", "-i", "1", "--dt"}, "--dt needs a value: --dt S"},
      {{"-i", "1", "-n"}, "-n needs a value: -n N"},
      {{"-i", "1", "-f"}, "-f needs a value: -f FILE"},
      {{"-i", "1", "-n", "5\n6"}, "-n needs a whole number from 1 to 134217728, not '5\\x0a6'"},
      {{"-i", "1", "-n", "\x1b[2J"}, "not '\\x1b[2J'"},
      {{"-n", "5", "-i", "1", "--bo\ngus"}, "--bo\\x0agus"},
  });
}

TEST(BadCommandLine, Scenes) {
  expect_all_refused({
      {{"--scene", "unknown", "-n", "5", "-i", "1"}, "unknown scene 'unknown': known are random"},
      {{"--scene", "", "-n", "5", "-i", "1"}, "unknown scene '': known are random"},
      {{"--scene", "lagrange", "-n", "4", "-i", "1"},
       "--scene lagrange has 3 bodies: leave out -n"},
      {{"--scene", "plummer", "-n", "5", "-i", "1", "--box", "2"},
       "--box is for --scene six: plummer has no box to resize"},
      {{"-n", "5", "-i", "1", "--box", "2"}, "--box is for --scene six: random has no box"},
      {{"--scene", "six", "-i", "1", "--box", "0"}, "--box needs a finite number > 0, not '0'"},
      {{"--scene", "six", "-i", "1", "--box", "wide"}, "--box needs a finite number > 0"},
      {{"--scene", "plummer", "-i", "1"}, "--scene plummer needs a number of bodies: add -n N"},
  });
}

TEST(BadCommandLine, Combinations) {
  const std::string file = DATA_FOLDER "/8bodies.dat";
  expect_all_refused({
      {{"-f", file, "-n", "5", "-i", "1"}, "-f and -n exclude each other"},
      {{"-f", file, "--scene", "random", "-i", "1"}, "leave out --scene, --seed and --box"},
      {{"-f", file, "--seed", "1", "-i", "1"}, "leave out --scene, --seed and --box"},
      {{"-f", file, "--box", "2", "-i", "1"}, "leave out --scene, --seed and --box"},
      {{"-i", "1"}, "which bodies? Add -f FILE, or -n N, or --scene NAME"},
      {{"-n", "5"}, "how many time steps? Add -i ITERATIONS"},
      {{"-n", "5", "-i", "1", "--serve"}, "--serve takes no other options"},
      {{"--serve", "--serve"}, "--serve takes no other options"},
  });
  expect_refusal(run_program({"-n", "5", "-i", "1", "--mdt", "100"}),
                 "--mdt is the shortest adaptive time step: add --vdt");
  expect_refusal(run_program({"-n", "5", "-i", "1", "--every", "2"}), "--every needs -w BASE");
  expect_refusal(run_program({}), "which bodies?");
}

TEST(BadCommandLine, NamesOfFilesToWrite) {
  const TestFolder folder;
  const auto from_folder = [&] { std::filesystem::current_path(folder / "."); };
  for (const std::string base : {"", ".", "..", "/", "new/", "new/.."}) {
    expect_refusal(run_program({"-n", "5", "-i", "1", "-w", base}, from_folder),
                   "-w needs the beginning of its file names, for example out/orbit, not '" + base);
  }
  expect_refusal(run_program({"-n", "5", "-i", "1", "--json", ""}, from_folder),
                 "--json needs the name of a file");
  EXPECT_EQ(folder.contents(), Words{});
}

}  // namespace
}  // namespace nbody
