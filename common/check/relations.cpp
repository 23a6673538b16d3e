#include <cmath>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"

namespace nbody::check {
namespace {

// Bodies on a grid of 2^-12, so that a shift by 4 loses no bit of a float.
Scene on_a_grid(std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::equal_masses, 100, seed);
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  scene.bodies = units.to_working(scene.bodies);
  scene.setting = {1, 0, 0.01, 0};
  for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
    for (double& value : *q) value = std::round(value * 4096) / 4096;
  }
  return scene;
}

}  // namespace

// The same bodies, changed in a way whose effect is known: twice the masses give twice the
// accelerations, a shift gives the same.
void check_relations(Subject& subject, const Plan& plan, Rows& rows) {
  const Scene scene = on_a_grid(plan.seed);
  const auto add = [&](const char* name, const Scene& changed, double factor) {
    Row row{"exact cases", name, scene.bodies.size(), plan.seed, 0, 2 * subject.tolerance().force};
    add_row(rows, plan, subject, row, [&](Row& made) {
      Reference expected = reference_of(scene);
      expected.acceleration = subject.accelerations(scene);
      Vectors<double> got = subject.accelerations(changed);
      for (const auto axis : axes) {
        for (double& value : got.*axis) value /= factor;
      }
      judge_forces(made, expected, got);
    });
  };
  Scene heavier = scene, shifted = scene;
  for (double& mass : heavier.bodies.mass) mass *= 2;
  for (double& x : shifted.bodies.qx) x += 4;
  add("twice the masses, twice the pull", heavier, 2);
  add("shifted, the same pull", shifted, 1);
}

}  // namespace nbody::check
