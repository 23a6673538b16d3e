#include <cmath>

#include "core/scenes.hpp"

namespace nbody {
namespace {

const Setting orbit_setting = {.G = 1, .softening = 0, .dt = 1e-3, .dt_floor = 1e-6};

struct Body {
  double mass, qx, qy, vx, vy;
};

Scene plane_scene(std::initializer_list<Body> list) {
  Scene scene;
  scene.setting = orbit_setting;
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(list.size());
  std::size_t i = 0;
  for (const Body& body : list) {
    bodies.mass[i] = body.mass;
    bodies.radius[i] = 0.05;
    bodies.qx[i] = body.qx;
    bodies.qy[i] = body.qy;
    bodies.vx[i] = body.vx;
    bodies.vy[i] = body.vy;
    ++i;
  }
  return scene;
}

}  // namespace

// Semi-major axis 1 and total mass 1, so the period is 2 pi and the energy -m0 m1 / 2; starts where
// the bodies are farthest apart.
Scene two_body_scene(const SceneParameters&) {
  const double eccentricity = 0.25;
  const double m0 = 0.75, m1 = 0.25;
  const double distance = 1 + eccentricity;
  const double speed = std::sqrt((1 - eccentricity) / (1 + eccentricity));
  return plane_scene(
      {{m0, -m1 * distance, 0, 0, -m1 * speed}, {m1, m0 * distance, 0, 0, m0 * speed}});
}

// Corners at distance 1 from the centre. Side s = sqrt(3), omega^2 = 3 m / s^3: the triangle turns
// rigidly, but a rounding error grows with each turn.
Scene lagrange_scene(const SceneParameters&) {
  const double height = std::sqrt(3.0) / 2;
  const double omega = std::sqrt(1 / std::sqrt(3.0));
  return plane_scene({{1, 1, 0, 0, omega},
                      {1, -0.5, height, -omega * height, -omega * 0.5},
                      {1, -0.5, -height, omega * height, -omega * 0.5}});
}

// Chenciner and Montgomery (2000), Annals of Mathematics 152, 881, initial values by Simo; the
// period is 6.32591398.
Scene figure_eight_scene(const SceneParameters&) {
  const double x = 0.97000436, y = -0.24308753;
  const double vx = -0.93240737, vy = -0.86473146;
  return plane_scene(
      {{1, x, y, -vx / 2, -vy / 2}, {1, -x, -y, -vx / 2, -vy / 2}, {1, 0, 0, vx, vy}});
}

}  // namespace nbody
