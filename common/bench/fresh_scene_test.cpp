#include "bench/fresh_scene.hpp"

#include <gtest/gtest.h>

#include "bodies/scenes.hpp"
#include "physics/conserved.hpp"

namespace nbody::bench {
namespace {

TEST(FreshScene, IsAnotherOneOfTheSameLaw) {
  for (const SceneGenerator& generator : scene_generators()) {
    const std::size_t n = generator.bodies != 0 ? generator.bodies : 20;
    const Scene one = fresh_scene(generator.name, n, 1), other = fresh_scene(generator.name, n, 2);
    EXPECT_EQ(one.bodies.size(), n) << generator.name;
    EXPECT_EQ(one.setting, other.setting) << generator.name;
    EXPECT_EQ(one.setting.integrator, "") << generator.name;
    EXPECT_NE(one.bodies, other.bodies) << generator.name;
    EXPECT_EQ(one, fresh_scene(generator.name, n, 1)) << generator.name;
  }
}

TEST(FreshScene, AFixedOneIsTurnedAndKeepsItsEnergy) {
  const Scene fixed = make_scene("two-body", 2, 1), turned = fresh_scene("two-body", 2, 7);
  EXPECT_NE(fixed.bodies.qx, turned.bodies.qx);
  EXPECT_NEAR(potential_energy(turned.bodies, 1, 0) / potential_energy(fixed.bodies, 1, 0), 1,
              1e-6);
  EXPECT_NEAR(kinetic_energy(turned.bodies) / kinetic_energy(fixed.bodies), 1, 1e-6);
}

TEST(TimeToFollow, IsAPartOfTheTimeToCrossTheScene) {
  const double plummer = time_to_follow(make_scene("plummer", 500, 1));  // crossing time 2 sqrt(2)
  EXPECT_GT(plummer, 0.1);
  EXPECT_LT(plummer, 1);
  EXPECT_EQ(time_to_follow(make_scene("plummer", 1, 1)), 0);
}

}  // namespace
}  // namespace nbody::bench
