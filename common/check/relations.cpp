#include <cmath>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/describe.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"

namespace nbody::check {
namespace {

// The same bodies, changed in a way whose effect is known: twice the masses give twice the
// accelerations, a shift gives the same.
Row judge_relation(Subject& subject, const char* name, const Scene& scene, const Scene& changed,
                   double factor, const Plan& plan) {
  Row row{"exact cases", name, scene.bodies.size(), plan.seed};
  row.limit = 2 * subject.tolerance().force;
  Reference expected =
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
  protocol::Request request = subject.request_for(scene);
  request.want_accelerations = true;
  protocol::Request changed_request = subject.request_for(changed);
  changed_request.want_accelerations = true;
  try {
    expected.acceleration = subject.ask(request).accelerations;
    Vectors<double> got = subject.ask(changed_request).accelerations;
    for (auto* column : {&got.x, &got.y, &got.z}) {
      for (double& value : *column) value /= factor;
    }
    const ForceError error = force_error(expected, got);
    row.error = is_finite(got) ? error.max : NAN;
    row.detail = describe_force_error(error);
    row.verdict = judged(row.error, row.limit);
  } catch (const protocol::SessionError& fault) {
    note_fault(row, fault, subject);
  }
  return row;
}

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

void check_relations(Subject& subject, const Plan& plan, Rows& rows) {
  const auto add = [&](Row row) {
    plan.on_row(row);
    rows.push_back(std::move(row));
  };
  const Scene scene = on_a_grid(plan.seed);
  Scene heavier = scene, shifted = scene;
  for (double& mass : heavier.bodies.mass) mass *= 2;
  for (double& x : shifted.bodies.qx) x += 4;
  add(judge_relation(subject, "twice the masses, twice the pull", scene, heavier, 2, plan));
  add(judge_relation(subject, "shifted, the same pull", scene, shifted, 1, plan));
}

}  // namespace nbody::check
