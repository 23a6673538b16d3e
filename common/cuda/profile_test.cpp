#include "cuda/profile.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

TEST(Profile, ARowForEachNameTheLongestFirst) {
  Profile profile;
  profile.add("copy", 0.01, 20'000'000);
  for (const double seconds : {0.03, 0.01, 0.02}) profile.add("kernel", seconds, 0);
  const std::string text = profile.text(0.1);
  std::size_t at = 0;
  for (const char* next :
       {"what", "kernel", " 3 ", "60.000", "60.00 %", "20000.00   10000.00   30000.00\n", "copy",
        "10.00 %", "2.00\n", "the rest", "30.00 %", "100.00 %"}) {
    at = text.find(next, at);
    ASSERT_NE(at, std::string::npos) << next << "\n" << text;
  }
}

}  // namespace
}  // namespace nbody
