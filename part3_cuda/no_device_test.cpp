// What part 3 says where there is no GPU. Where there is one, it is hidden.
#include <gtest/gtest.h>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

const std::string naive = "'" NAIVE "'";
const std::string no_device =
    "no NVIDIA GPU answers here, or its driver is older than CUDA: update it (./lab doctor); parts "
    "1 and 2 run without one, and part 3 builds\n";

Outcome run_without_gpu(const std::string& command, const TestFolder& folder = {}) {
  return shell(folder, "CUDA_VISIBLE_DEVICES= " + command);
}

void expect_refused(const Outcome& outcome, const std::string& line) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, line);
}

TEST(NoDevice, RunSaysSoAndWritesNothing) {
  const TestFolder folder;
  const std::string options = " -n 10 -i 2 -w new/x --log log.csv";
  expect_refused(run_without_gpu(naive + options, folder), "naive: " + no_device);
  expect_refused(run_without_gpu("'" MINE "'" + options, folder), "mine: " + no_device);
  EXPECT_EQ(folder.contents(), std::vector<std::string>{});
}

TEST(NoDevice, ServingSaysSo) {
  expect_refused(run_without_gpu(naive + " --serve"), "naive: " + no_device);
  expect_refused(run_without_gpu(naive + " --serve --block 64"), "naive: " + no_device);
}

TEST(NoDevice, OptionsAreJudgedFirst) {
  expect_refused(
      run_without_gpu(naive + " -n 10 -i 2 --block 100"),
      "naive: --block: 100 not in {256,16,32,64,128,512,1024}; --help lists the options\n");
  EXPECT_EQ(run_without_gpu(naive + " --help").status, 0);
}

TEST(NoDevice, DevicesSaysSo) {
  expect_refused(run_without_gpu("'" DEVICES "'"), "devices: " + no_device);
}

}  // namespace
}  // namespace nbody
