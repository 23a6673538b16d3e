#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "check/step_diagnosis.hpp"

namespace nbody {
namespace {

// In float the step is right to about 1e-6; no relevant mistake is smaller than 1e-4.
constexpr double limit = 1e-4;

// Eq. 7 of one body, with `part` of the distance to the nearest neighbour (0.1 in Eq. 7).
double step_of_body(const Bodies<double>& bodies, const Vectors<double>& acceleration,
                    std::size_t i, double part, double softening = 0) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == i) continue;
    nearest = std::min(nearest, std::hypot(bodies.qx[j] - bodies.qx[i], bodies.qy[j] - bodies.qy[i],
                                           bodies.qz[j] - bodies.qz[i]));
  }
  nearest = std::hypot(nearest, softening);
  const double v = std::hypot(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
  const double a = std::hypot(acceleration.x[i], acceleration.y[i], acceleration.z[i]);
  return 2 * part * nearest / (v + std::sqrt(v * v + 2 * part * a * nearest));
}

std::string diagnose(double got, double expected, const Scene& scene, const Bodies<double>& bodies,
                     const Vectors<double>& acceleration) {
  const auto near = [&](double value) { return std::abs(got / value - 1) <= limit; };
  if (bodies.size() == 1) return "a single body has no largest step: use the fixed dt";
  if (near(scene.setting.dt)) {
    return "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)";
  }
  if (got == 0) return "the step is 0: does a body take itself for its nearest neighbour?";
  const auto smallest = [&](double part, double softening) {
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      step = std::min(step, step_of_body(bodies, acceleration, i, part, softening));
    }
    return step;
  };
  if (scene.setting.softening > 0 && near(smallest(0.1, scene.setting.softening))) {
    return "the distance to the nearest neighbour is softened: Eq. 7 wants the distance itself";
  }
  for (const double part : {0.05, 0.2, 0.5, 1.0}) {
    if (near(smallest(part, 0))) {
      return fmt::format(
          "the step takes {:.0f} % of the way to the nearest neighbour: Eq. 7 wants "
          "10 %",
          100 * part);
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (near(step_of_body(bodies, acceleration, i, 0.1))) {
      return fmt::format("the step is that of body {} alone: Eq. 7 wants the smallest of all", i);
    }
  }
  return fmt::format("the step is {:.6g} times the largest that Eq. 7 allows", got / expected);
}

// A race in the minimum over all bodies comes out differently, but not every time.
bool times_change(Subject& subject, const Request& request, const Answer& answer) {
  for (int repetition = 0; repetition < 10; ++repetition) {
    const Answer again = subject.ask(request);
    for (std::size_t step = 0; step < answer.states.size(); ++step) {
      const double first = answer.states[step].time, second = again.states[step].time;
      if (std::isfinite(first) != std::isfinite(second)) return true;
      if (std::abs(second - first) > limit * std::abs(first)) return true;  // not for NaN
    }
  }
  return false;
}

Row judge_steps(Subject& subject, const Scene& scene, Row row) {
  Request request = subject.request_for(scene);
  request.adaptive = true;
  request.want_every_state = true;
  request.steps = 10;
  const Answer answer = subject.ask(request);
  // From rest dt goes with 1 / sqrt(a): its relative error is half that of a.
  row.limit = std::max(limit, subject.tolerance().force / 2);
  State before = state_of(scene);
  for (std::uint64_t step = 0; step < request.steps && row.error <= row.limit; ++step) {
    const State& after = answer.states[step];
    const Bodies<double> bodies = bodies_in(scene, before);
    const Reference reference =
        reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    const double expected = reference_adaptive_step(bodies, reference.acceleration, scene.setting);
    const double dt = after.time - before.time;
    row.error = std::abs(dt / expected - 1);
    row.detail =
        fmt::format("step {}: expected dt = {:.7g} s, got {:.7g} s", step + 1, expected, dt);
    if (!(row.error <= row.limit)) {
      const bool moved_rightly =
          step_error(before, after, reference, expected, subject.tolerance()).max <= 1;
      const double largest = reference_time_step(bodies, reference.acceleration);
      const bool below_floor = expected > largest && std::abs(dt / largest - 1) <= limit;
      row.diagnosis = times_change(subject, request, answer) ? answers_change_text
                      : moved_rightly ? "the bodies move by the right step, but advance() returns "
                                        "another time"
                      : below_floor   ? "the floor of the adaptive step is ignored"
                                    : diagnose(dt, expected, scene, bodies, reference.acceleration);
      break;
    }
    // The bodies must have moved by the reported step.
    const StepError moved = step_error(before, after, reference, dt, subject.tolerance());
    if (!(moved.max <= 1)) {
      row.error = std::numeric_limits<double>::infinity();
      row.detail = fmt::format("step {}: body {} did not move by the step that was reported",
                               step + 1, moved.worst);
      row.diagnosis = diagnose_step({scene, answer.states, step}, dt, subject.tolerance());
      if (row.diagnosis.empty()) row.diagnosis = other_step_text;
    }
    before = after;
  }
  row.verdict = judged(row.error, row.limit);
  return row;
}

// Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels. And the
// opposite case: from rest only a D counts.
struct FastScene {
  const char* name;
  std::size_t n;
  double speed;  // times the usual one: 0.2 a D / v^2 is about 1 / speed^2
  bool pulled;
};

constexpr FastScene fast_scenes[] = {{"fast bodies", 2, 1e3, true},
                                     {"fast bodies", 33, 1e3, true},
                                     {"very fast bodies", 33, 1e7, true},
                                     {"no pull: a = 0", 33, 1, false},
                                     {"from rest", 33, 0, true}};

Scene make_fast_scene(const FastScene& fast, std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::equal_masses, fast.n, seed);
  for (auto* v : {&scene.bodies.vx, &scene.bodies.vy, &scene.bodies.vz}) {
    for (double& value : *v) value *= fast.speed;
  }
  scene.bodies = rounded_to_float(scene.bodies);
  if (!fast.pulled) scene.setting.G = 0;
  scene.setting.dt *= 8;
  return scene;
}

// Many adaptive steps in one go. One light body flies past all the others, so fast that it moves
// straight and decides every step: the step keeps changing, and no encounter makes the motion
// chaotic.
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

struct Run {
  State end;
  std::vector<double> steps, way;  // of each step; of each body
};

// Mistakes of an own advance() that acts only in its first step.
struct Once {
  bool accelerations = false, floor = false;
};

Run reference_flight(const Scene& scene, std::uint64_t steps, Once once = {}) {
  Bodies<double> bodies = scene.bodies;
  Run run;
  run.way.assign(bodies.size(), 0);
  double time = 0;
  Reference reference;
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (step == 0 || !once.accelerations) {
      reference = reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    }
    const double floor = step == 0 || !once.floor ? scene.setting.dt_floor : 0;
    const double dt = std::max(reference_time_step(bodies, reference.acceleration), floor);
    const Bodies<double> before = bodies;
    reference_update(bodies, reference.acceleration, dt);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      run.way[i] += length(bodies.qx[i] - before.qx[i], bodies.qy[i] - before.qy[i],
                           bodies.qz[i] - before.qz[i]);
    }
    run.steps.push_back(dt);
    time += dt;
  }
  run.end = state_of({bodies, scene.setting, 0});
  run.end.time = time;
  return run;
}

// Each body's error relative to its path; rounding of its position is tolerated.
double miss_of(const State& got, const Run& run) {
  double largest = 0;
  const Vectors<double>&q = got.position, &expected = run.end.position;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double miss =
        length(q.x[i] - expected.x[i], q.y[i] - expected.y[i], q.z[i] - expected.z[i]);
    const double place = length(expected.x[i], expected.y[i], expected.z[i]);
    const double rounding = place * 0x1p-24 * static_cast<double>(run.steps.size());
    // Not std::max: of 0 and NaN it takes 0.
    const double share = miss <= rounding ? 0 : (miss - rounding) / run.way[i];
    if (!(share <= largest)) largest = is_finite(share) ? share : INFINITY;
  }
  return largest;
}

std::string diagnose_flight(const State& got, const Run& run, const Scene& scene) {
  const auto near = [&](double time) { return std::abs(got.time / time - 1) <= 2e-3; };
  const double count = static_cast<double>(run.steps.size());
  const double first = run.steps.front(), last = run.steps.back();
  const double off = miss_of(got, run);
  if (off == INFINITY) return "the bodies are not finite after many adaptive steps";
  const bool in_place = off <= 1e-3;
  if (in_place && near(count * last)) {
    return "the time returned by advance() is steps times the last dt: add up every dt";
  }
  if (in_place) return "the bodies end where they should, but advance() returns another time";
  if (near(count * first)) {
    return "the first adaptive step is used for all: compute largest_time_step() in every step";
  }
  if (near(first)) return "only one of many adaptive steps in one go is made";
  const auto made_with = [&](const Once& once) {
    return miss_of(got, reference_flight(scene, run.steps.size(), once)) <= 1e-3;
  };
  if (made_with({.floor = true})) return "the floor is not used in every step";
  if (made_with({.accelerations = true})) {
    return "the accelerations are those of the very first step: compute them in every step";
  }
  return "";
}

Row judge_in_one_go(Subject& subject, const Scene& scene, std::uint64_t steps, Row row) {
  Request request = subject.request_for(scene);
  request.adaptive = true;
  request.steps = steps;
  const State end = subject.ask(request).states.front();
  const Run run = reference_flight(scene, steps);
  const double late = std::abs(end.time / run.end.time - 1), off = miss_of(end, run);
  row.limit = 1e-3;
  row.error = is_nan(late) || is_nan(off) ? NAN : std::max(late, off);
  row.detail = fmt::format(
      "after {} steps at {:.7g} s, expected {:.7g} s; bodies off by {:.2g} of their path", steps,
      end.time, run.end.time, off);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) row.diagnosis = diagnose_flight(end, run, scene);
  return row;
}

bool any_failed(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.verdict == Verdict::failed; });
}

}  // namespace

void check_adaptive_step(Subject& subject, const Plan& plan, Rows& rows) {
  // With wrong forces or steps the adaptive step is wrong, too: then it is no diagnosis.
  const bool explained = any_failed(rows);
  const auto add = [&](Row row, const Scene& scene, std::uint64_t in_one_go = 0) {
    try {
      row = in_one_go > 0 ? judge_in_one_go(subject, scene, in_one_go, row)
                          : judge_steps(subject, scene, row);
    } catch (const SessionError& fault) {
      note_fault(row, fault, subject);
    }
    if (explained && row.answered) row.diagnosis.clear();
    plan.on_row(row);
    rows.push_back(std::move(row));
  };
  // The last size is for races: a parallel loop must run for a while to show one.
  for (const std::size_t n : {1, 2, 33, 257, 2049}) {
    if (n == 2049 && explained) continue;
    for (std::uint64_t k = 0; k < (n == 2049 ? 1 : plan.seeds); ++k) {
      Scene scene = make_check_scene(scene_in_turn(k), n, plan.seed + k);
      const double dt = scene.setting.dt;
      // Exposes a forgotten choice between the two.
      scene.setting.dt = 8 * dt;
      add({"adaptive step", "Eq. 7 decides", n, plan.seed + k}, scene);
      if (k > 0 || n == 2049) continue;
      scene.setting.dt_floor = dt;  // in every step
      add({"adaptive step", "floor reached", n, plan.seed + k}, scene);
    }
  }
  const bool right_when_slow = !any_failed(rows);
  for (const FastScene& fast : fast_scenes) {
    for (std::uint64_t k = 0; k < plan.seeds; ++k) {
      add({"adaptive step", fast.name, fast.n, plan.seed + k},
          make_fast_scene(fast, plan.seed + k));
      Row& row = rows.back();
      if (row.verdict != Verdict::failed || !row.answered || !right_when_slow) continue;
      if (fast.speed == 0) continue;
      // The step is wrong, not its use.
      if (row.diagnosis == answers_change_text || std::isinf(row.error)) continue;
      row.diagnosis =
          "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D is small "
          "beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)";
    }
  }
  // After the single steps, which tell more about a wrong step.
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    const Scene together =
        without_encounters(make_check_scene(CheckScene::equal_masses, 33, plan.seed + k));
    add({"adaptive step", "8 steps in one go", 33, plan.seed + k}, together, 8);
    Scene scene = make_flight(33, plan.seed + k);
    for (const std::uint64_t steps : {5, 130}) {
      add({"adaptive step", fmt::format("{} steps in one go", steps), 33, plan.seed + k}, scene,
          steps);
    }
    std::vector<double> lengths = reference_flight(scene, 130).steps;
    std::nth_element(lengths.begin(), lengths.begin() + 65, lengths.end());
    scene.setting.dt_floor = lengths[65];
    add({"adaptive step", "130 steps, floor in half", 33, plan.seed + k}, scene, 130);
  }
}

}  // namespace nbody
