#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {

Scene random_scene(const SceneParameters& parameters) {
  Random random(parameters.seed);
  Scene scene;
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(parameters.n);
  for (std::size_t i = 0; i < parameters.n; ++i) {
    bodies.mass[i] = (1 - random.uniform()) * 5e21;  // never 0
    bodies.radius[i] = bodies.mass[i] * 0.5e-14;
    bodies.qx[i] = random.uniform(-1, 1) * 6.65e8;
    bodies.qy[i] = random.uniform(-1, 1) * 5e8;
    bodies.qz[i] = random.uniform(-1, 1) * 5e8 - 1e9;  // in front of a viewer at the origin
    bodies.vx[i] = random.uniform(-1, 1) * 100;
    bodies.vy[i] = random.uniform(-1, 1) * 100;
    bodies.vz[i] = random.uniform(-1, 1) * 100;
  }
  return scene;
}

// Few bodies, strong pulls, close encounters: hard on the time step. More bodies, or a smaller
// cube, are harder still. The first bodies of a seed are the same whatever N is.
Scene six_scene(const SceneParameters& parameters) {
  Random random(parameters.seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = 0, .dt = 1e-5, .dt_floor = 1e-8};
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(parameters.n);
  for (std::size_t i = 0; i < parameters.n; ++i) {
    bodies.mass[i] = random.uniform(1, 10);
    bodies.radius[i] = bodies.mass[i] * 0.02;
    for (auto* position : {&bodies.qx, &bodies.qy, &bodies.qz}) {
      (*position)[i] = random.uniform(-parameters.box, parameters.box);
    }
    for (auto* velocity : {&bodies.vx, &bodies.vy, &bodies.vz}) {
      (*velocity)[i] = random.uniform(-1, 1);
    }
  }
  return scene;
}

}  // namespace nbody
