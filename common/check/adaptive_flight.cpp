#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bodies/units.hpp"
#include "check/adaptive_step.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {

Scene make_flight(std::size_t n, std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::heavy_tail, n, seed);
  Bodies<double>& b = scene.bodies;
  const std::size_t flier = n / 2;
  double speed = 0, mass = INFINITY;
  for (std::size_t i = 0; i < n; ++i) {
    speed = std::max(speed, length(b.vx[i], b.vy[i], b.vz[i]));
    mass = std::min(mass, b.mass[i]);
  }
  const double fast = 1000 * speed / length(b.qx[flier], b.qy[flier], b.qz[flier]);
  b.vx[flier] = -fast * b.qx[flier];
  b.vy[flier] = -fast * b.qy[flier];
  b.vz[flier] = -fast * b.qz[flier];
  b.mass[flier] = mass / 1024;
  b = rounded_to_float(b);
  scene.setting.dt *= 8;
  return scene;
}

namespace {

struct Run {
  protocol::State end;
  std::vector<double> steps, way;  // of each step; of each body
};

// Mistakes of an own advance() that acts only in its first step.
struct Once {
  bool accelerations = false, floor = false;
};

Run reference_flight(const Scene& scene, std::uint64_t steps, Once once = {}) {
  Bodies<double> bodies = scene.bodies;
  Run run{state_of(scene), {}, {}};
  run.way.assign(bodies.size(), 0);
  double time = 0;
  Reference reference;
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (step == 0 || !once.accelerations) {
      reference = reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    }
    const double floor = step == 0 || !once.floor ? scene.setting.dt_floor : 0;
    const double dt = std::max(reference_time_step(bodies, reference.acceleration), floor);
    reference_update(bodies, reference.acceleration, dt);
    const protocol::State before = std::exchange(run.end, state_of({bodies, scene.setting, 0}));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      run.way[i] += distance(run.end.position, before.position, i);
    }
    run.steps.push_back(dt);
    time += dt;
  }
  run.end.time = time;
  return run;
}

// Each body's error relative to its path; rounding of its position is tolerated.
double miss_of(const protocol::State& got, const Run& run) {
  double largest = 0;
  const Vectors<double>&q = got.position, &expected = run.end.position;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double miss = distance(q, expected, i);
    const double rounding = length(expected, i) * 0x1p-24 * static_cast<double>(run.steps.size());
    // Not std::max: of 0 and NaN it takes 0.
    const double share = miss <= rounding ? 0 : (miss - rounding) / run.way[i];
    if (!(share <= largest)) largest = is_finite(share) ? share : INFINITY;
  }
  return largest;
}

std::string diagnose_flight(const protocol::State& got, const Run& run, const Scene& scene) {
  const auto near = [&](double time) { return std::abs(got.time / time - 1) <= 2e-3; };
  const double count = static_cast<double>(run.steps.size());
  const double first = run.steps.front(), last = run.steps.back();
  const double off = miss_of(got, run);
  if (off == INFINITY) return "the bodies are not finite after many adaptive steps";
  const bool in_place = off <= 1e-3;
  if (in_place && near(count * last)) {
    return "the time returned by advance() is the number of steps times the last dt: add up every "
           "dt";
  }
  if (in_place) return "the bodies end where they should, but advance() returns another time";
  if (near(count * first)) {
    return "the first adaptive step is used for all: compute largest_time_step() in every step";
  }
  if (near(first)) return "only one of many adaptive steps in one go is made";
  const auto made_with = [&](const Once& once) {
    return miss_of(got, reference_flight(scene, run.steps.size(), once)) <= 1e-3;
  };
  if (made_with({.floor = true}))
    return "the shortest step allowed (--mdt) is not applied in every step";
  if (made_with({.accelerations = true})) {
    return "the accelerations are those of the very first step: compute them in every step";
  }
  return "";
}

}  // namespace

void judge_in_one_go(Subject& subject, const Scene& scene, std::uint64_t steps, Row& row) {
  protocol::Request request = subject.request_for(scene);
  request.adaptive = true;
  request.steps = steps;
  const protocol::State end = subject.ask(request).states.front();
  const Run run = reference_flight(scene, steps);
  const double late = std::abs(end.time / run.end.time - 1), off = miss_of(end, run);
  row.limit = 1e-3;
  row.error = is_nan(late) || is_nan(off) ? NAN : std::max(late, off);
  row.detail = fmt::format(
      "after {} steps at {:.7g} s, expected {:.7g} s; bodies off by {:.2g} of their path", steps,
      end.time, run.end.time, off);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) row.diagnosis = diagnose_flight(end, run, scene);
}

double median_step(const Scene& scene, std::uint64_t steps) {
  std::vector<double> lengths = reference_flight(scene, steps).steps;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(steps / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace nbody::check
