#include "view/painter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "bodies/scenes.hpp"
#include "view/offscreen.hpp"

namespace nbody::view {
namespace {

constexpr int width = 320, height = 240;

// Pictures in memory, of bodies that stand where the test puts them.
class PainterTest : public testing::Test {
 protected:
  static Bodies<double> bodies() { return make_scene("plummer", 200, 1).bodies; }

  static Shown state(const Bodies<double>& bodies) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->position = {bodies.qx, bodies.qy, bodies.qz};
    snapshot->velocity = {bodies.vx, bodies.vy, bodies.vz};
    return snapshot;
  }

  Picture draw(const std::vector<Bodies<double>>& states, std::size_t panels = 1,
               const std::vector<std::string>& lines = {}) {
    Offscreen screen(width, height);
    Painter painter(bodies(), panels);
    for (const auto& bodies : states) {
      for (std::size_t k = 0; k < panels; ++k) painter.show(k, state(bodies), look);
    }
    painter.draw(screen.framebuffer(), width, height, camera, look, {lines}, {});
    return screen.picture();
  }

  static int brightness(const Picture& picture, int x, int y) {
    const auto* pixel = &picture.rgb[static_cast<std::size_t>(3 * (y * picture.width + x))];
    return pixel[0] + pixel[1] + pixel[2];
  }

  // How many pixels of a part of two pictures differ to the eye.
  static int differing(const Picture& a, const Picture& b, int left, int right) {
    int count = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = left; x < right; ++x) {
        count += std::abs(brightness(a, x, y) - brightness(b, x, y)) > 30 ? 1 : 0;
      }
    }
    return count;
  }

  Look look;
  Camera camera;
};

TEST_F(PainterTest, TheSameStatesGiveTheSamePixels) {
  EXPECT_EQ(draw({bodies()}).rgb, draw({bodies()}).rgb);
}

TEST_F(PainterTest, AMovedBodyMovesItsPixelsAndNoOthers) {
  look.trails = false;
  Bodies<double> moved = bodies();
  const ReferenceFrame frame = frame_of(bodies());
  const Matrix matrix = camera.matrix(static_cast<float>(width) / height);
  const auto place_of = [&](const Bodies<double>& of) {
    return seen(matrix, frame.point({of.qx, of.qy, of.qz}, 3), width, height);
  };
  moved.qx[3] = frame.x + 0.7 * frame.size;
  moved.qy[3] = frame.y - 0.4 * frame.size;
  moved.qz[3] = frame.z;
  const Picture before = draw({bodies()}), after = draw({moved});
  const Seen there = place_of(moved);
  const int x = static_cast<int>(there.x), y = static_cast<int>(there.y);
  ASSERT_TRUE(x > 0 && x < width && y > 0 && y < height) << x << " " << y;
  EXPECT_GT(brightness(after, x, y), brightness(before, x, y) + 150);
  const int changed = differing(before, after, 0, width);
  EXPECT_GT(changed, 4);
  EXPECT_LT(changed, 600);  // two glows, of some pixels each
}

TEST_F(PainterTest, TrailsShowWhereBodiesWere) {
  Bodies<double> moved = bodies();
  moved.qx[3] += frame_of(moved).size;
  const Picture with = draw({bodies(), moved});
  look.trails = false;
  EXPECT_GT(differing(with, draw({bodies(), moved}), 0, width), 20);
}

TEST_F(PainterTest, GlowMakesLight) {
  const auto light = [&] {
    const auto rgb = draw({bodies()}).rgb;
    return std::accumulate(rgb.begin(), rgb.end(), 0.0);
  };
  const double with = light();
  look.glow = false;
  EXPECT_GT(with, 1.1 * light());
}

TEST_F(PainterTest, TextCanBeReadAndStandsInItsCorner) {
  const Picture without = draw({bodies()}), eight = draw({bodies()}, 1, {"8888"});
  const Picture one = draw({bodies()}, 1, {"1111"}), dots = draw({bodies()}, 1, {"...."});
  const auto ink = [&](const Picture& picture) { return differing(picture, without, 0, 90); };
  EXPECT_GT(ink(eight), 1.2 * ink(one));
  EXPECT_GT(ink(one), 1.5 * ink(dots));
  EXPECT_GT(ink(dots), 0);
  EXPECT_EQ(differing(eight, without, 90, width), 0);
  int brightest = 0;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 90; ++x) brightest = std::max(brightest, brightness(eight, x, y));
  }
  EXPECT_GT(brightest, 450);  // of 765, on a dark ground
}

TEST_F(PainterTest, TwoPanelsShowTheSameTwice) {
  const Picture picture = draw({bodies()}, 2);
  const auto part = [&](int left) {
    double light = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = left + 3; x < left + width / 2 - 3; ++x) light += brightness(picture, x, y);
    }
    return light;
  };
  EXPECT_NEAR(part(0), part(width / 2), 0.002 * part(0));
}

}  // namespace
}  // namespace nbody::view
