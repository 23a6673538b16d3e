#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bodies/scenes.hpp"

namespace nbody {
namespace {

struct Vec {
  double x, y, z;
};

Vec place(const Bodies<double>& b, std::size_t i, std::size_t from) {
  return {b.qx[i] - b.qx[from], b.qy[i] - b.qy[from], b.qz[i] - b.qz[from]};
}
Vec velocity(const Bodies<double>& b, std::size_t i, std::size_t from) {
  return {b.vx[i] - b.vx[from], b.vy[i] - b.vy[from], b.vz[i] - b.vz[from]};
}
double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec& a) { return std::sqrt(dot(a, a)); }
double distance(const Bodies<double>& b, std::size_t i, std::size_t from) {
  return length(place(b, i, from));
}

// Kick, drift, kick under the pull of the two centres: the light bodies have 1 % of their mass.
void step(Bodies<double>& b, std::size_t other, const Setting& setting) {
  const auto kick = [&](double dt) {
    const Bodies<double> now = b;
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (const std::size_t j : {std::size_t{0}, other}) {
        const Vec d = place(now, j, i);
        const double r2 = dot(d, d) + setting.softening * setting.softening;
        const double strength = setting.G * b.mass[j] / (r2 * std::sqrt(r2)) * dt;
        b.vx[i] += strength * d.x;
        b.vy[i] += strength * d.y;
        b.vz[i] += strength * d.z;
      }
    }
  };
  kick(setting.dt / 2);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b.qx[i] += b.vx[i] * setting.dt;
    b.qy[i] += b.vy[i] * setting.dt;
    b.qz[i] += b.vz[i] * setting.dt;
  }
  kick(setting.dt / 2);
}

TEST(CollisionScene, RestsAtTheOrigin) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 2001u}) {
    const Bodies<double> b = make_scene("collision", n, 1).bodies;
    for (const auto* column : {&b.qx, &b.qy, &b.qz, &b.vx, &b.vy, &b.vz}) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += b.mass[i] * (*column)[i];
      EXPECT_NEAR(sum, 0, 5e-7) << n;  // of 2, each rounded to 24 bits
    }
  }
}

// A parabola: the speed is that of escape, and r v^2 / 2 (1 + cos angle) = G M.
TEST(CollisionScene, TheCentresPassOnAParabola) {
  const std::size_t n = 2000;
  const Bodies<double> b = make_scene("collision", n, 3).bodies;
  const Vec d = place(b, 0, n / 2), v = velocity(b, 0, n / 2);
  EXPECT_NEAR(length(d), 4, 1e-6);
  EXPECT_NEAR(dot(v, v) / 2, 2.02 / 4, 1e-6);
  EXPECT_LT(dot(d, v), 0) << "towards each other";
  const double turning = d.x * v.y - d.y * v.x;
  EXPECT_NEAR(turning * turning / (2 * 2.02), 1, 1e-6) << "the distance where they are closest";
}

TEST(CollisionScene, BothDisksTurnInCirclesThatTheSofteningAsksFor) {
  const std::size_t n = 2000;
  const Scene scene = make_scene("collision", n, 2);
  const Bodies<double>& b = scene.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t centre = i < n / 2 ? 0 : n / 2;
    if (i == centre) continue;
    const Vec d = place(b, i, centre), v = velocity(b, i, centre);
    const double r = length(d);
    EXPECT_TRUE(r > 0.199 && r < 0.751) << r;
    const double pull = r / std::pow(r * r + 0.01, 1.5);
    EXPECT_NEAR(dot(v, v) / r / pull, 1, 0.02) << "1 % of disk, and its thickness";
    EXPECT_LT(std::abs(dot(d, v)), 1e-5);
    const double turning = d.x * v.y - d.y * v.x;
    EXPECT_NEAR(turning / length(v) / r, centre == 0 ? 1 : 0.6, 0.05) << "and the same way";
    EXPECT_LT(b.mass[i], 2e-5);
  }
  EXPECT_EQ(scene.setting.integrator, "kdk");
}

// What the scene is there for: 500 steps later one body in ten is far from both centres, some of
// them on either side, and the rest still are two disks.
TEST(CollisionScene, DrawsTails) {
  const std::size_t n = 600, other = n / 2;
  const Scene scene = make_scene("collision", n, 1);
  Bodies<double> b = scene.bodies;
  double closest = distance(b, 0, other);
  for (int k = 0; k < 500; ++k) {
    step(b, other, scene.setting);
    closest = std::min(closest, distance(b, 0, other));
  }
  EXPECT_NEAR(closest, 1, 0.05);
  int far[2] = {0, 0}, near = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double nearest = std::min(distance(b, i, 0), distance(b, i, other));
    if (nearest > 1.5) ++far[i < other ? 0 : 1];
    if (nearest < 0.75) ++near;
  }
  EXPECT_GT(far[0], 30);
  EXPECT_GT(far[1], 30);
  EXPECT_GT(near, 300);
}

}  // namespace
}  // namespace nbody
