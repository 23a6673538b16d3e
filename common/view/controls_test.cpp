#include "view/controls.hpp"

#include <gtest/gtest.h>

namespace nbody::view {
namespace {

Controls controls() { return controls_of({}, {}, {1, 5, 3}, false); }

TEST(Controls, PauseAndSingleSteps) {
  Controls it = controls();
  it.press(' ');
  EXPECT_TRUE(it.wish.paused);
  it.press(' ');
  EXPECT_FALSE(it.wish.paused);
  it.press('s');
  it.press('S');
  EXPECT_TRUE(it.wish.paused);
  EXPECT_EQ(it.wish.single_steps, 2u);
}

TEST(Controls, FasterSlowerAndAllItCan) {
  Controls it = controls();
  EXPECT_EQ(it.wish.iterations_per_second, 60);
  it.press('+');
  EXPECT_EQ(it.wish.iterations_per_second, 120);
  it.press('a');
  EXPECT_EQ(it.wish.iterations_per_second, 0);
  EXPECT_EQ(it.speed_text(), "as fast as possible");
  it.press('-');
  EXPECT_EQ(it.wish.iterations_per_second, 30);
}

TEST(Controls, ColourAsksForAccelerations) {
  Controls it = controls();
  it.press('c');
  EXPECT_TRUE(it.wish.accelerations);
  EXPECT_EQ(it.look.colour, Look::Colour::acceleration);
  it.press('c');
  EXPECT_FALSE(it.wish.accelerations);
}

TEST(Controls, FollowsTheHeaviestThenTheNextAndComesBack) {
  Controls it = controls();
  const std::vector<Point> places = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<std::size_t> followed;
  for (int k = 0; k < 4; ++k) {
    it.press('f');
    followed.push_back(*it.followed);
  }
  EXPECT_EQ(followed, (std::vector<std::size_t>{1, 2, 0, 1}));
  it.follow(places);
  EXPECT_EQ(it.camera.target.y, 1);
  it.press('r');
  EXPECT_FALSE(it.followed);
  EXPECT_EQ(it.camera.target.y, 0);
}

TEST(Controls, AClickPicksTheBodyUnderIt) {
  Controls it = controls();
  const std::vector<Point> places = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  for (std::size_t body = 0; body < places.size(); ++body) {
    const Seen at = seen(it.camera.matrix(1280.0F / 720), places[body], 1280, 720);
    it.pick(places, at.x + 3, at.y - 3, 1280, 720);
    EXPECT_EQ(it.followed, body);
  }
  it.pick(places, 2, 2, 1280, 720);
  EXPECT_FALSE(it.followed);
}

TEST(Controls, EscapeAndQEnd) {
  for (const char key : {'q', 'Q', '\x1b'}) {
    Controls it = controls();
    it.press('x');
    EXPECT_FALSE(it.wants_end);
    it.press(key);
    EXPECT_TRUE(it.wants_end);
  }
}

TEST(Camera, WhatItLooksAtIsInTheMiddle) {
  Camera camera;
  camera.target = {1, 2, 3};
  camera.orbit(0.3F, -4);  // not over the pole
  camera.zoom(1.5F);
  const Seen at = seen(camera.matrix(2), camera.target, 800, 400);
  EXPECT_NEAR(at.x, 400, 0.5);
  EXPECT_NEAR(at.y, 200, 0.5);
  EXPECT_NEAR(at.depth, 1.8F, 1e-3F);
}

TEST(Camera, FromAboveYIsUpWhenSeenFromTheSouth) {
  Camera camera;
  camera.yaw = -1.5707963F;
  const Matrix matrix = camera.matrix(1);
  EXPECT_GT(seen(matrix, {0.5F, 0, 0}, 400, 400).x, 210);
  EXPECT_LT(seen(matrix, {0, 0.5F, 0}, 400, 400).y, 190);
  EXPECT_LT(seen(matrix, {0, 0, 0.5F}, 400, 400).y, 190);
}

}  // namespace
}  // namespace nbody::view
