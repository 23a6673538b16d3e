#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "physics/conserved.hpp"

namespace nbody::check {
namespace {

constexpr std::uint64_t steps = 50;

Row row_of(const char* name, double miss, const Subject& subject, const Plan& plan,
           const Scene& scene) {
  Row row{"conservation", name, scene.bodies.size(), plan.seed};
  row.error = is_finite(miss) ? miss : NAN;
  // Each step may err by the tolerance of the forces; half a step is added for rounding.
  row.limit = static_cast<double>(steps) / 5 * subject.tolerance().force;
  row.detail = fmt::format("after {} steps {:.1e} from the reference's own run", steps, row.error);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) {
    row.diagnosis = "a run drifts away from the reference's: wrong forces or steps";
  }
  return row;
}

// The integrator itself drifts, so a run is compared with the reference's own run, so soft and so
// short that the two stay together.
void judge_conservation(Subject& subject, const Plan& plan, CheckScene kind, Rows& rows) {
  Scene scene = make_check_scene(kind, 129, plan.seed);
  const double extent = *std::max_element(scene.bodies.qx.begin(), scene.bodies.qx.end());
  scene.setting.softening = extent / 4;
  scene.setting.dt /= 4;
  const auto add = [&](const char* name, double miss) {
    rows.push_back(row_of(name, miss, subject, plan, scene));
    plan.on_row(rows.back());
  };
  const Bodies<double> expected = bodies_in(scene, reference_run(scene, steps).back());
  protocol::Request request = subject.request_for(scene);
  request.steps = steps;
  try {
    const Bodies<double> end = bodies_in(scene, subject.ask(request).states.front());
    const auto quantities = [&](const Bodies<double>& bodies) {
      return conserved(bodies, scene.setting.G, scene.setting.softening);
    };
    const Conserved got = quantities(end), wanted = quantities(expected);
    const double energy_scale =
        kinetic_energy(expected) -
        potential_energy(expected, scene.setting.G, scene.setting.softening);
    add("energy", std::abs(got.energy - wanted.energy) / energy_scale);
    add("momentum", change(got.momentum, wanted.momentum, momentum_scale(expected)));
    add("angular momentum",
        change(got.angular_momentum, wanted.angular_momentum, angular_momentum_scale(expected)));
  } catch (const protocol::SessionError& fault) {
    for (const char* name : {"energy", "momentum", "angular momentum"}) {
      Row row{"conservation", name, scene.bodies.size(), plan.seed};
      note_fault(row, fault, subject);
      plan.on_row(row);
      rows.push_back(row);
    }
  }
}

}  // namespace

void check_conservation(Subject& subject, const Plan& plan, Rows& rows) {
  for (const CheckScene kind : {CheckScene::equal_masses, CheckScene::heavy_tail}) {
    judge_conservation(subject, plan, kind, rows);
  }
}

}  // namespace nbody::check
