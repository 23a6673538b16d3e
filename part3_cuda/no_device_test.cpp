// What part 3 says where there is no GPU. Where there is one, it is hidden.
#include <gtest/gtest.h>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

const std::string no_device =
    "no NVIDIA GPU answers here (./lab doctor): parts 1 and 2 run without one, and part 3 "
    "builds\n";

Outcome run_without_gpu(std::vector<std::string> words) {
  words.insert(words.begin(), {"/usr/bin/env", "CUDA_VISIBLE_DEVICES="});
  return Command(words).wait();
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
        {program, "-n", "10", "-i", "2", "-w", folder / "new/x", "--log", folder / "log.csv"});
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
  expect_refused(
      run_without_gpu({NAIVE, "-n", "10", "-i", "2", "--block", "100"}),
      "naive: --block: 100 not in {256,16,32,64,128,512,1024}; --help lists the options\n");
  EXPECT_EQ(run_without_gpu({NAIVE, "--help"}).status, 0);
}

TEST(NoDevice, DevicesSaysSo) {
  expect_refused(run_without_gpu({DEVICES}), "devices: " + no_device);
}

}  // namespace
}  // namespace nbody
