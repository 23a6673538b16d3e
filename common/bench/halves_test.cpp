#include "bench/halves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/fresh_scene.hpp"
#include "bodies/units.hpp"
#include "check/step_bounds.hpp"
#include "physics/reference.hpp"

namespace nbody::bench {
namespace {

using protocol::Answer;
using protocol::Request;

// Programs that answer as the reference does, rounded to float after each step, but for what they
// save.
enum class Trick {
  none,
  half_the_steps,      // of twice the length, where there are many
  a_step_less,         // the same, of the right length
  taken_over,          // three of four forces follow the line through the last two
  half_the_sources,    // even ones in one step, odd ones in the next, at double weight
  rough_in_one_go,     // a hundredth of the force is missing where there are many steps
  rough,               // everywhere
  longer_than_allowed  // adaptive steps
};

class Program {
 public:
  explicit Program(Trick trick) : trick_(trick) {}

  Answer answer(const Request& request) {
    bodies_ = request.bodies;
    setting_ = request.setting;
    last_ = before_ = {};
    std::uint64_t steps = request.steps;
    double longer = 1, time = 0;
    if (trick_ == Trick::half_the_steps && steps > 1) longer = 2, steps = (steps + 1) / 2;
    if (trick_ == Trick::a_step_less && steps > 4) --steps;
    if (trick_ == Trick::longer_than_allowed) longer = 1.5;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const Vectors<double> a = pulls(step, request.steps);
      double dt = longer * setting_.dt;
      if (request.adaptive) dt = longer * reference_adaptive_step(bodies_, a, setting_);
      reference_update(bodies_, a, dt);
      bodies_ = rounded_to_float(bodies_);
      time += dt;
    }
    if (!request.adaptive) time = setting_.dt * static_cast<double>(request.steps);
    Answer answer;
    answer.states = {check::state_of(bodies_, time)};
    answer.accelerations = of_all();
    return answer;
  }

 private:
  Vectors<double> of_all() const {
    return reference_accelerations(bodies_, setting_.G, setting_.softening).acceleration;
  }

  Vectors<double> pulls(std::uint64_t step, std::uint64_t steps) {
    const bool in_one_go = steps > 1;
    if (trick_ == Trick::half_the_sources) {
      Bodies<double> half = bodies_;
      for (std::size_t j = step % 2; j < half.size(); j += 2) half.mass[j] = 0;
      for (double& mass : half.mass) mass *= 2;
      return reference_accelerations(half, setting_.G, setting_.softening).acceleration;
    }
    Vectors<double> now = of_all();
    if (trick_ == Trick::taken_over && step > 1 && step % 4 > 0) {
      const auto follow = [&](auto axis) {
        for (std::size_t i = 0; i < now.size(); ++i) {
          (now.*axis)[i] = 2 * (last_.*axis)[i] - (before_.*axis)[i];
        }
      };
      for (auto axis : {&Vectors<double>::x, &Vectors<double>::y, &Vectors<double>::z})
        follow(axis);
    }
    if (trick_ == Trick::rough || (trick_ == Trick::rough_in_one_go && in_one_go)) {
      for (double& x : now.x) x *= 0.99;
    }
    before_ = last_;
    last_ = now;
    return now;
  }

  const Trick trick_;
  Bodies<double> bodies_;
  Setting setting_;
  Vectors<double> last_, before_;  // pulls of the steps before
};

const check::Tolerance& standard() {
  return check::tolerance_named("standard", protocol::Precision::single_precision);
}

HalvesVerdict verdict_on(Trick trick, const std::string& name, std::size_t n, std::uint64_t steps,
                         bool adaptive, std::uint64_t seed) {
  Program program(trick);
  const Scene scene = fresh_scene(name, n, seed);
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request.setting.dt =
      2 * time_to_follow(scene) / static_cast<double>(std::max<std::uint64_t>(1, steps));
  request.adaptive = adaptive;
  request.steps = steps;
  request.want_accelerations = true;
  Random random(seed);
  const auto ask = [&](const Request& asked) { return program.answer(asked); };
  return judge_by_halves(ask, {request, ask(request)}, standard(), random);
}

class Halves : public testing::TestWithParam<const char*> {};

TEST_P(Halves, AreRightInAnHonestProgram) {
  for (const std::uint64_t steps : {0, 1, 2, 7, 40, 300}) {
    for (const bool adaptive : {false, true}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto verdict = verdict_on(Trick::none, GetParam(), 60, steps, adaptive, seed);
        EXPECT_EQ(verdict.wrong, "") << steps << adaptive << seed;
        EXPECT_TRUE(adaptive || verdict.shows_joined_steps) << steps;
      }
    }
  }
}

TEST_P(Halves, TellWhatIsSaved) {
  for (const Trick trick : {Trick::half_the_steps, Trick::a_step_less, Trick::taken_over,
                            Trick::half_the_sources, Trick::rough_in_one_go, Trick::rough}) {
    for (const std::uint64_t steps : {16, 40, 300}) {
      EXPECT_NE(verdict_on(trick, GetParam(), 60, steps, false, steps).wrong, "")
          << static_cast<int>(trick) << " " << steps;
    }
  }
}

TEST_P(Halves, TellAdaptiveStepsThatAreTooLong) {
  for (const Trick trick :
       {Trick::half_the_steps, Trick::a_step_less, Trick::longer_than_allowed}) {
    EXPECT_NE(verdict_on(trick, GetParam(), 60, 40, true, 5).wrong, "") << static_cast<int>(trick);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Halves, testing::Values("plummer", "random", "galaxy"));

TEST(DistanceBetween, IsInfiniteWithoutNumbers) {
  const Scene scene = fresh_scene("plummer", 10, 1);
  const protocol::State start = check::state_of(scene);
  protocol::State end = start;
  EXPECT_EQ(distance_between(end, end, start, 5, standard().digits), 0);
  end.velocity.y[5] = std::nan("");
  EXPECT_TRUE(std::isinf(distance_between(end, start, start, 5, standard().digits)));
}

// More steps than float can tell apart.
TEST(Halves, SayWhenNothingCouldBeNoticed) {
  EXPECT_FALSE(verdict_on(Trick::none, "plummer", 20, 20000, false, 1).shows_joined_steps);
}

}  // namespace
}  // namespace nbody::bench
