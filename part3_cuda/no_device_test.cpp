// What part 3 says where there is no GPU. Where there is one, it is hidden.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

const std::string no_device =
    "no NVIDIA GPU answers here (./lab doctor): parts 1 and 2 run without one, and part 3 "
    "builds\n";

Outcome run_without_gpu(const std::vector<std::string>& words) {
  return Command(words, [] { ::setenv("CUDA_VISIBLE_DEVICES", "", 1); }).wait();
}

void expect_refused(const Outcome& outcome, const std::string& line) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, line);
}

TEST(NoDevice, RunSaysSoAndWritesNothing) {
  const TestFolder folder;
  for (const char* program : {NAIVE, MINE}) {
    const Outcome outcome = run_without_gpu(
        {program, "-n", "10", "-i", "2", "-w", folder / "new/x", "--json", folder / "run.json"});
    const std::string name = program == std::string(NAIVE) ? "naive" : "mine";
    expect_refused(outcome, name + ": " + no_device);
  }
  EXPECT_EQ(folder.contents(), std::vector<std::string>{});
}

TEST(NoDevice, ServingSaysSo) {
  expect_refused(run_without_gpu({NAIVE, "--serve"}), "naive: " + no_device);
  expect_refused(run_without_gpu({NAIVE, "--serve", "--block", "64"}), "naive: " + no_device);
}

TEST(NoDevice, OptionsAreJudgedFirst) {
  expect_refused(run_without_gpu({NAIVE, "-n", "10", "-i", "2", "--block", "100"}),
                 "naive: --block needs one of 16, 32, 64, 128, 256, 512, 1024, not '100'\n");
  expect_refused(run_without_gpu({NAIVE, "-n", "10", "-i", "2", "--block", "64", "--block", "0"}),
                 "naive: --block is given 2 times: keep one; --help lists the options\n");
  expect_refused(run_without_gpu({NAIVE, "--serve", "-n", "5"}),
                 "naive: --serve takes no other options: the requests carry them\n");
  EXPECT_EQ(run_without_gpu({NAIVE, "--help"}).status, 0);
  EXPECT_EQ(run_without_gpu({NAIVE, "--version"}).status, 0);
}

TEST(NoDevice, DevicesSaysSo) {
  const TestFolder folder;
  expect_refused(run_without_gpu({DEVICES, "--json", folder / "devices.json"}),
                 "devices: " + no_device);
  expect_refused(run_without_gpu({DEVICES, "--measure", "--json", folder / "devices.json"}),
                 "devices: " + no_device);
  EXPECT_EQ(folder.contents(), std::vector<std::string>{});
}

TEST(NoDevice, CheckSkipsAndNeverPasses) {
  const std::string file = testing::TempDir() + "check_without_gpu.json";
  const Outcome outcome =
      run_without_gpu({CHECK, "part3", "naive", "mine", "--manifest", MANIFEST, "--json", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream written(file);
  const std::string text(std::istreambuf_iterator<char>(written), {});
  EXPECT_NE(text.find("needs a GPU"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"passed\""), std::string::npos) << text;
}

}  // namespace
}  // namespace nbody
