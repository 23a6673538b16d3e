#include "simulator/launcher.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bodies/input_error.hpp"
#include "machine/machine.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Words = std::vector<std::string>;
const std::string all = "sse2 avx2 avx512";

// A machine with these features and no others.
FeatureTest machine_with(const std::string& present) {
  return [present](const std::string& features, std::string& missing) {
    std::istringstream words(features);
    while (words >> missing) {
      if ((" " + present + " ").find(" " + missing + " ") == std::string::npos) return false;
    }
    return true;
  };
}

std::string choice(const std::string& wanted, const std::string& built,
                   const std::string& machine) {
  try {
    return chosen_architecture(wanted, built, machine_with(machine));
  } catch (const InputError& error) {
    return error.what();
  }
}

const std::string of_zen4 = "sse2 fma avx2 avx512f avx512cd avx512dq avx512bw avx512vl";

TEST(Launcher, TakesTheBestThatTheMachineHas) {
  EXPECT_EQ(choice("", all, of_zen4), "avx512");
  EXPECT_EQ(choice("", "sse2 avx2", of_zen4), "avx2");
  EXPECT_EQ(choice("", all, "sse2 avx2 fma"), "avx2");
  EXPECT_EQ(choice("", all, "sse2 avx2"), "sse2");                       // avx2 stands for fma too
  EXPECT_EQ(choice("", all, "sse2 avx2 fma avx512f avx512cd"), "avx2");  // the first to have avx512
  EXPECT_EQ(choice("", all, "asimd"), "this machine supports none of sse2 avx2 avx512");
}

TEST(Launcher, TakesTheOneThatIsWanted) {
  EXPECT_EQ(choice("sse2", all, of_zen4), "sse2");
  EXPECT_EQ(choice("avx512", all, of_zen4), "avx512");
  EXPECT_EQ(choice("avx512", all, "sse2 avx2 fma"), "--arch avx512: this machine has no avx512f");
  EXPECT_EQ(choice("neon", all, of_zen4),
            "--arch neon: this program was built for sse2 avx2 avx512");
  EXPECT_EQ(choice("avx", all, of_zen4),
            "unknown instruction set 'avx': choose from avx2, avx512, neon, sse2");
}

// The launcher in a folder of its own, with scripts that say who they are and what they got.
class LauncherProgram : public testing::Test {
 protected:
  LauncherProgram() {
    std::filesystem::copy_file(LAUNCHER, folder / "probe");
    for (const std::string arch : {"sse2", "avx2", "avx512", "neon"}) {
      const std::filesystem::path script = folder / ("probe_" + arch);
      write_text(script, "#!/bin/sh\necho \"$0\" \"$#\"\nprintf '<%s>\\n' \"$@\"\nexit 42\n");
      std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    }
  }
  Outcome run(Words words, const std::function<void()>& in_child = {}) const {
    words.insert(words.begin(), folder / "probe");
    return Command(words, in_child).wait();
  }
  std::string here(const std::string& arch) const { return folder / ("probe_" + arch); }

  const TestFolder folder;
};

const std::string worst = std::string(PROBE_ARCHS).substr(0, std::string(PROBE_ARCHS).find(' '));

TEST_F(LauncherProgram, BecomesTheProgramWithAllWords) {
  const Outcome outcome = run({"-n", "3", "--arch", worst, "", "two words", "--", "--arc"});
  EXPECT_EQ(outcome.status, 42) << outcome.err;
  EXPECT_EQ(outcome.out, here(worst) + " 6\n<-n>\n<3>\n<>\n<two words>\n<-->\n<--arc>\n");
  EXPECT_EQ(run({"--arch=" + worst, "x"}).out, here(worst) + " 1\n<x>\n");
}

TEST_F(LauncherProgram, WithoutAWishItIsTheBest) {
  const std::string best = chosen_architecture("", PROBE_ARCHS, machine::machine_has);
  EXPECT_EQ(run({"x"}).out, here(best) + " 1\n<x>\n");
}

TEST_F(LauncherProgram, NeedsNoEnvironment) {
  const Outcome outcome = run({"--arch", worst, "x"}, [] { clearenv(); });
  EXPECT_EQ(outcome.status, 42) << outcome.err;
  EXPECT_EQ(outcome.out, here(worst) + " 1\n<x>\n");
}

TEST_F(LauncherProgram, IsFoundThroughALink) {
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::create_symlink(folder / "probe", folder / "elsewhere/other");
  const Outcome outcome = Command({folder / "elsewhere/other", "--arch", worst}).wait();
  EXPECT_EQ(outcome.out, here(worst) + " 0\n<>\n");
}

TEST_F(LauncherProgram, BadWordsAreRefused) {
  expect_refusal(run({"--arch"}), "--arch needs the name of an instruction set", "probe");
  expect_refusal(run({"--arch", ""}), "--arch needs the name", "probe");
  expect_refusal(run({"--arch="}), "--arch needs the name", "probe");
  expect_refusal(run({"--arch", worst, "-n", "3", "--arch"}), "--arch needs the name", "probe");
  expect_refusal(run({"--arch", "mmx"}), "unknown instruction set 'mmx'", "probe");
  expect_refusal(run({"--arch", "two\nlines"}), "unknown instruction set", "probe");
}

TEST_F(LauncherProgram, AMissingProgramIsNamed) {
  std::filesystem::remove(here(worst));
  expect_refusal(run({"--arch", worst}), here(worst) + " cannot be started: No such file", "probe");
  write_text(here(worst), "not executable");
  expect_refusal(run({"--arch", worst}), here(worst) + " cannot be started: Permission denied",
                 "probe");
}

}  // namespace
}  // namespace nbody
