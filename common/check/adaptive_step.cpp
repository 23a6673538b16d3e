#include "check/adaptive_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "check/step_diagnosis.hpp"

namespace nbody::check {
namespace {

// For races: a parallel loop must run for a while to show one.
constexpr std::size_t largest = 2049;

// A race in the minimum over all bodies comes out differently, but not every time.
bool times_change(Subject& subject, const protocol::Request& request,
                  const protocol::Answer& answer) {
  for (int repetition = 0; repetition < 10; ++repetition) {
    const protocol::Answer again = subject.ask(request);
    for (std::size_t step = 0; step < answer.states.size(); ++step) {
      const double first = answer.states[step].time, second = again.states[step].time;
      if (std::isfinite(first) != std::isfinite(second)) return true;
      if (std::abs(second - first) > adaptive_limit * std::abs(first)) return true;  // not for NaN
    }
  }
  return false;
}

// One step, from `before` to `after`.
struct Judged {
  const Scene& scene;
  const Bodies<double>& bodies;
  const Reference& reference;
  const protocol::State &before, &after;
  double expected;
};

std::string diagnose_miss(const Judged& step, const Tolerance& tolerance) {
  const double dt = step.after.time - step.before.time;
  if (step_error(step.before, step.after, step.reference, step.expected, tolerance).max <= 1) {
    return "the bodies move by the right step, but advance() returns "
           "another time";
  }
  const double largest = reference_time_step(step.bodies, step.reference.acceleration);
  if (step.expected > largest && std::abs(dt / largest - 1) <= adaptive_limit) {
    return "the floor of the adaptive step is ignored";
  }
  return diagnose_adaptive_step(dt, step.expected, step.scene, step.bodies,
                                step.reference.acceleration);
}

void judge_steps(Subject& subject, const Scene& scene, Row& row) {
  protocol::Request request = subject.request_for(scene);
  request.adaptive = true;
  request.want_every_state = true;
  request.steps = 10;
  const protocol::Answer answer = subject.ask(request);
  // From rest dt goes with 1 / sqrt(a): its relative error is half that of a.
  row.limit = std::max(adaptive_limit, subject.tolerance().force / 2);
  protocol::State before = state_of(scene);
  for (std::uint64_t step = 0; step < request.steps && row.error <= row.limit; ++step) {
    const protocol::State& after = answer.states[step];
    const Bodies<double> bodies = bodies_in(scene, before);
    const Reference reference = reference_at(scene, before);
    const double expected = reference_adaptive_step(bodies, reference.acceleration, scene.setting);
    const double dt = after.time - before.time;
    row.error = std::abs(dt / expected - 1);
    row.detail =
        fmt::format("step {}: expected dt = {:.7g} s, got {:.7g} s", step + 1, expected, dt);
    if (!(row.error <= row.limit)) {
      const Judged step{scene, bodies, reference, before, after, expected};
      row.diagnosis = times_change(subject, request, answer)
                          ? answers_change_text
                          : diagnose_miss(step, subject.tolerance());
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

bool any_failed(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.verdict == Verdict::failed; });
}

// What is checked, by what, and where its rows go.
struct Check {
  Subject& subject;
  const Plan& plan;
  Rows& rows;
  bool explained;  // with wrong forces or steps the adaptive step is wrong, too: then it is no
                   // diagnosis

  Row& add(Row row, const Scene& scene, std::uint64_t in_one_go = 0) {
    Row& added = add_row(rows, plan, subject, std::move(row), [&](Row& made) {
      if (in_one_go > 0) return judge_in_one_go(subject, scene, in_one_go, made);
      judge_steps(subject, scene, made);
    });
    if (explained && added.answered) added.diagnosis.clear();
    return added;
  }
};

void check_usual(Check& check, std::size_t n, std::uint64_t seeds) {
  const Plan& plan = check.plan;
  for (std::uint64_t k = 0; k < seeds; ++k) {
    Scene scene = make_check_scene(scene_in_turn(k), n, plan.seed + k);
    const double dt = scene.setting.dt;
    // Exposes a forgotten choice between the two.
    scene.setting.dt = 8 * dt;
    check.add({"adaptive step", "Eq. 7 decides", n, plan.seed + k}, scene);
    if (k > 0 || n == largest) continue;
    scene.setting.dt_floor = dt;  // in every step
    check.add({"adaptive step", "floor reached", n, plan.seed + k}, scene);
  }
}

void check_fast(Check& check, const FastScene& fast, bool right_when_slow) {
  const Plan& plan = check.plan;
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    Row& row = check.add({"adaptive step", fast.name, fast.n, plan.seed + k},
                         make_fast_scene(fast, plan.seed + k));
    if (row.verdict != Verdict::failed || !row.answered || !right_when_slow) continue;
    if (fast.speed == 0) continue;
    // The step is wrong, not its use.
    if (row.diagnosis == answers_change_text || std::isinf(row.error)) continue;
    row.diagnosis =
        "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D is small "
        "beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)";
  }
}

void check_in_one_go(Check& check, std::uint64_t seed) {
  const auto row = [&](std::string name) {
    return Row{"adaptive step", std::move(name), 33, seed};
  };
  const Scene together = without_encounters(make_check_scene(CheckScene::equal_masses, 33, seed));
  check.add(row("8 steps in one go"), together, 8);
  Scene scene = make_flight(33, seed);
  for (const std::uint64_t steps : {5, 130}) {
    check.add(row(fmt::format("{} steps in one go", steps)), scene, steps);
  }
  scene.setting.dt_floor = median_step(scene, 130);
  check.add(row("130 steps, floor in half"), scene, 130);
}

}  // namespace

void check_adaptive_step(Subject& subject, const Plan& plan, Rows& rows) {
  Check check{subject, plan, rows, any_failed(rows)};
  for (const std::size_t n : {1, 2, 33, 257}) check_usual(check, n, plan.seeds);
  if (!check.explained) check_usual(check, largest, 1);
  const bool right_when_slow = !any_failed(rows);
  for (const FastScene& fast : fast_scenes) check_fast(check, fast, right_when_slow);
  // After the single steps, which tell more about a wrong step.
  for (std::uint64_t k = 0; k < plan.seeds; ++k) check_in_one_go(check, plan.seed + k);
}

}  // namespace nbody::check
