#include "view/reference_frame.hpp"

#include <gtest/gtest.h>

#include "bodies/scenes.hpp"
#include "view/record.hpp"

namespace nbody::view {
namespace {

TEST(ReferenceFrame, FitsMostBodiesAndNotTheFarthest) {
  Bodies<double> bodies = make_scene("plummer", 1000, 1).bodies;
  const double size = frame_of(bodies).size;
  bodies.qx[7] = 1e6;  // thrown out; light, so that the centre stays
  bodies.mass[7] = 1e-12;
  EXPECT_NEAR(frame_of(bodies).size, size, 0.05 * size);
}

TEST(ReferenceFrame, FewBodiesAllCount) {
  const Bodies<double> bodies = make_scene("lagrange", 0, 1).bodies;
  const ReferenceFrame frame = frame_of(bodies);
  const Vectors<double> at = {bodies.qx, bodies.qy, bodies.qz};
  for (std::size_t i = 0; i < 3; ++i) {
    const Point place = frame.point(at, i);
    EXPECT_NEAR(dot(place, place), 1, 1e-5);
  }
}

TEST(ReferenceFrame, ASingleBodyHasASize) {
  Bodies<double> bodies;
  bodies.resize(1);
  bodies.mass[0] = 1;
  EXPECT_EQ(frame_of(bodies).size, 1);
}

TEST(Palette, SlowIsZeroAndFastIsOne) {
  Snapshot snapshot;
  snapshot.velocity.resize(101);
  for (std::size_t i = 0; i < 101; ++i) snapshot.velocity.y[i] = static_cast<double>(i);
  Palette palette;
  const auto values = palette.values(snapshot, Look::Colour::speed);
  EXPECT_EQ(values.front(), 0);
  EXPECT_NEAR(values[50], 0.5, 0.01);
  EXPECT_EQ(values.back(), 1);
}

TEST(Palette, AllAlikeAreInTheMiddle) {
  Snapshot snapshot;
  snapshot.velocity.resize(3);
  Palette palette;
  EXPECT_EQ(palette.values(snapshot, Look::Colour::acceleration), std::vector<float>(3, 0.5F));
}

TEST(Record, IterationsAreSpreadOverThePictures) {
  EXPECT_EQ(iterations_at(0, 5, 100, true), 0u);
  EXPECT_EQ(iterations_at(1, 5, 100, true), 25u);
  EXPECT_EQ(iterations_at(4, 5, 103, true), 103u);
  EXPECT_EQ(iterations_at(3, 5, endless, false), 3u);
  EXPECT_EQ(iterations_at(0, 1, 100, true), 0u);
}

}  // namespace
}  // namespace nbody::view
