#include "view/player.hpp"

#include <gtest/gtest.h>

#include "bodies/scenes.hpp"

namespace nbody::view {
namespace {

using namespace std::chrono_literals;

class PlayerTest : public testing::Test {
 protected:
  PlayerTest() { options_.iterations = 1'000'000; }

  std::unique_ptr<Simulated> simulated() const {
    const check::ProgramEntry program{protocol::Precision::single_precision, "", NAIVE_PROGRAM};
    return std::make_unique<Simulated>(program, scene_, options_, Simulated::Energy::when_cheap);
  }

  // Waits for it, a minute at most: a busy machine is no fault.
  template <typename Condition>
  static bool comes(Condition condition) {
    for (int k = 0; k < 6000 && !condition(); ++k) std::this_thread::sleep_for(10ms);
    return condition();
  }

  Scene scene_ = make_scene("two-body", 0, 1);
  Options options_;
};

TEST_F(PlayerTest, StepsOneByOneAreThoseOfOneRequest) {
  const auto one = simulated(), many = simulated();
  one->begin(false);
  many->begin(false);
  Shown by_steps;
  for (int k = 0; k < 10; ++k) by_steps = one->advance(1, false);
  const Shown at_once = many->advance(10, true);
  EXPECT_EQ(by_steps->iteration, 10u);
  EXPECT_NEAR(at_once->time, 10 * scene_.setting.dt, 1e-12);
  for (std::size_t i = 0; i < 2; ++i) {  // the state is rounded to float in both
    EXPECT_NEAR(by_steps->position.x[i], at_once->position.x[i], 1e-6);
  }
  EXPECT_EQ(by_steps->acceleration.size(), 0u);
  EXPECT_EQ(at_once->acceleration.size(), 2u);
}

TEST_F(PlayerTest, ItEndsWithItsIterations) {
  options_.iterations = 7;
  const auto it = simulated();
  it->begin(false);
  const Shown last = it->advance(100, false);
  EXPECT_EQ(last->iteration, 7u);
  EXPECT_TRUE(last->finished);
  ASSERT_TRUE(last->energy_error);
  EXPECT_LT(std::abs(*last->energy_error), 0.1);
}

TEST_F(PlayerTest, PausedItStandsAndSingleStepsMoveIt) {
  Player player([&] { return simulated(); });
  Wish wish;
  wish.paused = true;
  player.want(wish);
  ASSERT_TRUE(comes([&] { return player.latest() != nullptr; }));
  std::this_thread::sleep_for(100ms);  // what was on its way arrives
  const auto before = player.latest()->iteration;
  wish.single_steps = 3;
  player.want(wish);
  EXPECT_TRUE(comes([&] { return player.latest()->iteration == before + 3; }));
  wish.paused = false;
  player.want(wish);
  EXPECT_TRUE(comes([&] { return player.latest()->iteration > before + 100; }));
}

TEST_F(PlayerTest, AProgramThatIsNotThereIsAFaultInOneLine) {
  Player player([&] {
    const check::ProgramEntry program{protocol::Precision::single_precision, "",
                                      "/no/such/program"};
    return std::make_unique<Simulated>(program, scene_, options_, Simulated::Energy::when_cheap);
  });
  ASSERT_TRUE(comes([&] { return !player.fault().empty(); }));
  EXPECT_EQ(player.fault().find('\n'), std::string::npos);
  EXPECT_TRUE(player.ends_within(60s));
}

}  // namespace
}  // namespace nbody::view
