#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "physics/conserved.hpp"

namespace nbody {
namespace {

constexpr std::uint64_t steps = 50;

double length(const Vector& v) { return nbody::length(v.x, v.y, v.z); }

// What a run keeps, and what rounding may do to it.
struct Quantities {
  double energy;
  Vector momentum, angular_momentum;
};

Quantities quantities_of(const Bodies<double>& bodies, const Setting& setting) {
  return {kinetic_energy(bodies) + potential_energy(bodies, setting.G, setting.softening),
          momentum(bodies), angular_momentum(bodies)};
}

Vector difference(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

// Sums of magnitudes: what the errors are measured on.
Quantities scales_of(const Bodies<double>& b, const Setting& setting) {
  double p = 0, l = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double speed = std::hypot(b.vx[i], b.vy[i], b.vz[i]);
    p += b.mass[i] * speed;
    l += b.mass[i] * speed * std::hypot(b.qx[i], b.qy[i], b.qz[i]);
  }
  const double energy = kinetic_energy(b) - potential_energy(b, setting.G, setting.softening);
  return {energy, {p, 0, 0}, {l, 0, 0}};
}

// The integrator itself drifts, so a run is measured against the reference's own run, on a system
// so soft and so short that the two stay together.
void judge_conservation(Subject& subject, const Plan& plan, CheckScene kind, Rows& rows) {
  Scene scene = make_check_scene(kind, 129, plan.seed);
  const double extent = *std::max_element(scene.bodies.qx.begin(), scene.bodies.qx.end());
  scene.setting.softening = extent / 4;
  scene.setting.dt /= 4;
  const auto add = [&](const char* name, double miss, double scale) {
    Row row{"conservation", name, scene.bodies.size(), plan.seed};
    row.error = is_finite(miss) ? miss / scale : NAN;
    // Each of the steps may miss by the force's tolerance; half a step of safety for rounding.
    row.limit = static_cast<double>(steps) / 5 * subject.tolerance().force;
    row.detail =
        fmt::format("after {} steps {:.1e} from the reference's own run", steps, row.error);
    row.verdict = judged(row.error, row.limit);
    if (row.verdict == Verdict::failed) {
      row.diagnosis = "a run drifts away from the reference's: wrong forces or steps";
    }
    plan.on_row(row);
    rows.push_back(row);
  };
  Bodies<double> expected = scene.bodies;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Reference reference =
        reference_accelerations(expected, scene.setting.G, scene.setting.softening);
    reference_update(expected, reference.acceleration, scene.setting.dt);
  }
  Request request = subject.request_for(scene);
  request.steps = steps;
  try {
    const Bodies<double> end = bodies_in(scene, subject.ask(request).states.front());
    const Quantities got = quantities_of(end, scene.setting);
    const Quantities wanted = quantities_of(expected, scene.setting);
    const Quantities scale = scales_of(expected, scene.setting);
    add("energy", std::abs(got.energy - wanted.energy), scale.energy);
    add("momentum", length(difference(got.momentum, wanted.momentum)), scale.momentum.x);
    add("angular momentum", length(difference(got.angular_momentum, wanted.angular_momentum)),
        scale.angular_momentum.x);
  } catch (const SessionError& fault) {
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

}  // namespace nbody
