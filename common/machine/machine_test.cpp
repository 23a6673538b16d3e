#include "machine/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

namespace nbody::machine {
namespace {

// A feature name must match as a whole word: "avx" is no proof of "avx512f".
TEST(Machine, NamesTheFirstMissingFeature) {
  for (const auto& [features, first] :
       {std::pair{"", "untouched"}, {"no_such_feature another", "no_such_feature"}, {"av", "av"}}) {
    std::string missing = "untouched";
    const bool has_all = machine_has(features, missing);
    EXPECT_EQ(missing, first) << features;
    EXPECT_EQ(has_all, missing == "untouched") << features;
  }
}

// What the system has does not matter, only what this process may use.
TEST(Machine, CountsTheProcessorsThatThisProcessMayUse) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_processors(), static_cast<unsigned>(CPU_COUNT(&before)));
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_processors(), 1u);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace nbody::machine
