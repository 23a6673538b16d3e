// The commands of the original handout, as typed there, with the programs of this part.
#include <gtest/gtest.h>

#include "core/body_file.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

TEST(Handout, RandomBodiesVerboseWithoutVisualisation) {
  const Outcome outcome = shell(TestFolder(), "\"$naive\" -n 50 -i 20 -v --nv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n        20      0d 20h 00m 00s        3600  "), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("bodies      50 (scene random, seed 1)"), std::string::npos);
}

TEST(Handout, BodiesFromAFileToFiles) {
  const TestFolder folder;
  const std::string file = DATA_FOLDER "/8bodies.dat";
  const Outcome outcome = shell(folder, "\"$naive\" -f '" + file + "'" + " -i 20 -w new/8bodies");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(folder.contents().size(), 1u + 21u);
  EXPECT_EQ(read_body_file(folder / "new/8bodies.0.dat"), read_body_file(file));
  EXPECT_EQ(read_body_file(folder / "new/8bodies.20.dat").time, 20 * 3600);
}

TEST(Handout, AdaptiveTimeStep) {
  const Outcome outcome = shell(TestFolder(), "\"$naive\" -n 50 -i 5 -v --nv --vdt --mdt 200");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("adaptive, at least 200 s"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace nbody
