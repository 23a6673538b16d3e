#include "machine/machine.hpp"

#include <gtest/gtest.h>

namespace nbody::machine {
namespace {

TEST(Machine, NeedsNothingIsAlwaysMet) {
  std::string missing = "untouched";
  EXPECT_TRUE(machine_has("", missing));
  EXPECT_EQ(missing, "untouched");
}

TEST(Machine, NamesTheFirstMissingFeature) {
  std::string missing;
  EXPECT_FALSE(machine_has("no_such_feature another", missing));
  EXPECT_EQ(missing, "no_such_feature");
  EXPECT_TRUE(has_features(""));
  EXPECT_FALSE(has_features("no_such_feature"));
}

// A feature name must match as a whole word: "avx" is no proof of "avx512f".
TEST(Machine, MatchesWholeWordsOnly) {
  std::string missing;
  EXPECT_FALSE(machine_has("av", missing));
}

TEST(Machine, HasAName) { EXPECT_FALSE(cpu_name().empty()); }

}  // namespace
}  // namespace nbody::machine
