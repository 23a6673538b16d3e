#include "bench/missed_pull.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/fresh_scene.hpp"
#include "bodies/units.hpp"
#include "check/step_bounds.hpp"
#include "check/tolerance.hpp"
#include "physics/reference.hpp"

namespace nbody::bench {
namespace {

using protocol::State;

const check::Tolerance& standard() {
  return check::tolerance_named("standard", protocol::Precision::single_precision);
}

// The reference's end, rounded to float after each step, as a float program's would be.
State walked(Scene scene, double time, std::uint64_t steps) {
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Reference pulls =
        reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
    reference_update(scene.bodies, pulls.acceleration, time / static_cast<double>(steps));
    scene.bodies = rounded_to_float(scene.bodies);
  }
  State end = check::state_of(scene);
  end.time = time;
  return end;
}

TEST(MissedPull, FindsStepsThatWereNotMade) {
  const Scene scene = fresh_scene("plummer", 100, 4);
  const double time = time_to_follow(scene), digits = standard().digits;
  std::vector<std::size_t> rows(100);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto pulls = [&](const State& at) {
    return reference_accelerations(check::bodies_in(scene, at), scene.setting.G,
                                   scene.setting.softening)
        .acceleration;
  };
  const State start = check::state_of(scene);
  const auto missed = [&](State end, std::uint64_t steps) {
    end.time = time;
    return missed_pull(start, end, pulls(start), pulls(end), rows, steps, digits);
  };
  for (const std::uint64_t steps : {1, 2, 5, 100, 1000}) {
    EXPECT_LT(missed(walked(scene, time, steps), steps), most_missed) << steps;
    EXPECT_NEAR(missed(start, steps), 1, 1e-3) << steps;
    EXPECT_GT(missed(walked(scene, time / 2, steps), steps), most_missed) << steps;
  }
  State end = walked(scene, time, 5);
  end.velocity.x[3] = std::nan("");
  EXPECT_GT(missed(end, 5), 1e9);
}

}  // namespace
}  // namespace nbody::bench
