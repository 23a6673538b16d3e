#include "check/patience.hpp"

#include <gtest/gtest.h>

#include <future>

namespace nbody::check {
namespace {

TEST(Patience, TellsAgainAndAgainWhileItLasts) {
  std::promise<void> twice;
  int told = 0;
  {
    const Patience patience(
        [&](int seconds) {
          EXPECT_EQ(seconds, ++told);
          if (told == 2) twice.set_value();
        },
        1);
    EXPECT_EQ(twice.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  }
  EXPECT_GE(told, 2);
}

TEST(Patience, SaysNothingWhereTheAnswerComes) {
  {
    const Patience patience([](int) { FAIL(); });
  }
}

}  // namespace
}  // namespace nbody::check
