#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bodies/scenes.hpp"

namespace nbody {
namespace {

TEST(RandomScene, StaysInItsBox) {
  const Scene scene = make_scene("random", 10000, 1);
  const Bodies<double>& b = scene.bodies;
  const auto expect_fills = [](const std::vector<double>& values, double low, double high) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*least, low);
    EXPECT_LE(*most, high);
    EXPECT_LT(*least, low + 0.01 * (high - low));
    EXPECT_GT(*most, high - 0.01 * (high - low));
  };
  expect_fills(b.mass, 0, 5e21);
  EXPECT_GT(*std::min_element(b.mass.begin(), b.mass.end()), 0);
  expect_fills(b.radius, 0, 2.5e7);
  expect_fills(b.qx, -6.65e8, 6.65e8);
  expect_fills(b.qy, -5e8, 5e8);
  expect_fills(b.qz, -1.5e9, -5e8);
  for (const auto* v : {&b.vx, &b.vy, &b.vz}) expect_fills(*v, -100, 100);
  EXPECT_EQ(scene.setting, Setting{});
}

TEST(SixScene, FillsItsCube) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Scene scene = make_scene("six", 6, seed);
    const Bodies<double>& b = scene.bodies;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_TRUE(b.mass[i] >= 1 && b.mass[i] <= 10);
      for (const auto* q : {&b.qx, &b.qy, &b.qz}) EXPECT_LE(std::abs((*q)[i]), 5);
      for (const auto* v : {&b.vx, &b.vy, &b.vz}) EXPECT_LE(std::abs((*v)[i]), 1);
    }
    EXPECT_EQ(scene.setting.dt, 1e-5);
    EXPECT_EQ(scene.setting.G, 1);
  }
}

TEST(SixScene, FillsTheCubeThatIsAskedFor) {
  const Bodies<double> b = make_scene("six", 1000, 1, 0.5).bodies;
  for (const auto* q : {&b.qx, &b.qy, &b.qz}) {
    const auto [least, most] = std::minmax_element(q->begin(), q->end());
    EXPECT_TRUE(*least >= -0.5 && *least < -0.49) << *least;
    EXPECT_TRUE(*most <= 0.5 && *most > 0.49) << *most;
  }
  EXPECT_GT(*std::max_element(b.vx.begin(), b.vx.end()), 0.9) << "velocities keep their range";
}

}  // namespace
}  // namespace nbody
