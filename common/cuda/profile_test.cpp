#include "cuda/profile.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

TEST(Profile, CallsOfOneNameAreOneRow) {
  std::vector<ProfileRow> rows;
  add_call(rows, "kernel", 3e-3, 0);
  add_call(rows, "copy", 1e-3, 1000);
  add_call(rows, "kernel", 1e-3, 0);
  add_call(rows, "kernel", 2e-3, 0);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_DOUBLE_EQ(rows[0].total_s, 6e-3);
  EXPECT_DOUBLE_EQ(rows[0].shortest_s, 1e-3);
  EXPECT_DOUBLE_EQ(rows[0].longest_s, 3e-3);
  EXPECT_EQ(rows[1].bytes, 1000u);
}

TEST(Profile, LongestFirstWithSharesOfTheWallClock) {
  std::vector<ProfileRow> rows;
  add_call(rows, "copy", 0.01, 20'000'000);
  add_call(rows, "kernel", 0.07, 0);
  const std::string text = profile_text(rows, 0.1);
  const auto kernel = text.find("kernel "), copy = text.find("copy ");
  ASSERT_NE(kernel, std::string::npos) << text;
  EXPECT_LT(kernel, copy);
  EXPECT_NE(text.find("70.00 %", kernel), std::string::npos) << text;
  EXPECT_NE(text.find("2.00\n", copy), std::string::npos) << text;  // GB/s
  const auto rest = text.find("the rest");
  EXPECT_NE(text.find("20.00 %", rest), std::string::npos) << text;
}

}  // namespace
}  // namespace nbody
