// What a run that is watched writes into the file that LAB_FRAMES names.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

Outcome watched(const TestFolder& folder, const std::string& file, const std::string& arguments) {
  return shell(folder, "LAB_FRAMES=" + file + " $plain " + arguments);
}

TEST(Frames, OneAnIterationAndTheLastWithItsEnergy) {
  const TestFolder folder;
  EXPECT_EQ(watched(folder, folder / "frames", "-n 5 -i 3").status, 0);
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

TEST(Frames, AReaderThatGoesEndsTheRun) {
  EXPECT_EQ(watched(TestFolder(), "/dev/full", "-n 5 -i 1000000000").status, 130);
}

TEST(Frames, ThatCannotBeWritten) {
  const Outcome refused = watched(TestFolder(), "/no/where", "-n 5 -i 1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("/no/where (LAB_FRAMES) cannot be written\n"), std::string::npos);
}

}  // namespace
}  // namespace nbody
