#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"

namespace nbody {
namespace {

// Float leaves the step right to about 1e-6; no mistake of interest is smaller than 1e-4.
constexpr double limit = 1e-4;

// Eq. 7 of one body, with `part` of the distance to the nearest neighbour (0.1 in Eq. 7).
double step_of_body(const Bodies<double>& bodies, const Vectors<double>& acceleration,
                    std::size_t i, double part) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == i) continue;
    nearest = std::min(nearest, std::hypot(bodies.qx[j] - bodies.qx[i], bodies.qy[j] - bodies.qy[i],
                                           bodies.qz[j] - bodies.qz[i]));
  }
  const double v = std::hypot(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
  const double a = std::hypot(acceleration.x[i], acceleration.y[i], acceleration.z[i]);
  return 2 * part * nearest / (v + std::sqrt(v * v + 2 * part * a * nearest));
}

std::string diagnose(double got, double expected, const Scene& scene, const Bodies<double>& bodies,
                     const Vectors<double>& acceleration) {
  const auto near = [&](double value) { return std::abs(got / value - 1) <= limit; };
  if (bodies.size() == 1) return "a single body has no largest step: the fixed dt is used then";
  if (near(scene.setting.dt)) {
    return "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)";
  }
  for (const double part : {0.05, 0.2, 0.5, 1.0}) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      smallest = std::min(smallest, step_of_body(bodies, acceleration, i, part));
    }
    if (near(smallest)) {
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
  return fmt::format("the step is {:.4g} times the largest that Eq. 7 allows", got / expected);
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
  row.limit = limit;
  State before = state_of(scene);
  for (std::uint64_t step = 0; step < request.steps && row.error <= row.limit; ++step) {
    const State& after = answer.states[step];
    const Bodies<double> bodies = bodies_in(scene, before);
    const Reference reference =
        reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    const double largest = reference_time_step(bodies, reference.acceleration);
    const double expected =
        std::isfinite(largest) ? std::max(largest, scene.setting.dt_floor) : scene.setting.dt;
    const double dt = after.time - before.time;
    row.error = std::abs(dt / expected - 1);
    row.detail =
        fmt::format("step {}: expected dt = {:.7g} s, got {:.7g} s", step + 1, expected, dt);
    if (!(row.error <= row.limit)) {
      const bool moved_rightly =
          step_error(before, after, reference, expected, subject.tolerance()).max <= 1;
      const bool below_floor = expected > largest && std::abs(dt / largest - 1) <= limit;
      row.diagnosis = times_change(subject, request, answer) ? answers_change_text
                      : moved_rightly ? "the bodies move by the right step, but advance() returns "
                                        "another time"
                      : below_floor   ? "the floor of the adaptive step is ignored"
                                    : diagnose(dt, expected, scene, bodies, reference.acceleration);
      break;
    }
    // The bodies must have moved by the very step that was reported.
    const StepError moved = step_error(before, after, reference, dt, subject.tolerance());
    if (!(moved.max <= 1)) {
      row.error = std::numeric_limits<double>::infinity();
      row.detail = fmt::format("step {}: body {} did not move by the step that was reported",
                               step + 1, moved.worst);
    }
    before = after;
  }
  row.verdict = judged(row.error, row.limit);
  return row;
}

// What the textbook root of Eq. 6 cannot do: with a D far below v^2 its difference cancels.
struct FastScene {
  const char* name;
  std::size_t n;
  double speed;  // times the usual one: 0.2 a D / v^2 is about 1 / speed^2
  bool pulled;
};

constexpr FastScene fast_scenes[] = {{"fast bodies", 2, 1e3, true},
                                     {"fast bodies", 33, 1e3, true},
                                     {"very fast bodies", 33, 1e7, true},
                                     {"no pull: a = 0", 33, 1, false}};

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

}  // namespace

void check_adaptive_step(Subject& subject, const Plan& plan, Rows& rows) {
  // With wrong forces or steps the step cannot be right either: then it is no diagnosis.
  const bool explained = any_failed(rows);
  const auto add = [&](Row row, const Scene& scene) {
    try {
      row = judge_steps(subject, scene, row);
    } catch (const SessionError& fault) {
      note_fault(row, fault, subject);
    }
    if (explained && row.answered) row.diagnosis.clear();
    plan.on_row(row);
    rows.push_back(std::move(row));
  };
  // The last one for races: a parallel loop needs some time to have one.
  for (const std::size_t n : {1, 2, 33, 257, 2049}) {
    for (std::uint64_t k = 0; k < (n == 2049 ? 1 : plan.seeds); ++k) {
      Scene scene = make_check_scene(CheckScene::equal_masses, n, plan.seed + k);
      // The first seed has a floor that holds every time.
      const bool floor = k == 0 && n < 2049;
      if (floor) scene.setting.dt_floor = scene.setting.dt;
      // So that a forgotten choice between the two shows.
      scene.setting.dt *= 8;
      add({"adaptive step", floor ? "floor reached" : "Eq. 7 decides", n, plan.seed + k}, scene);
    }
  }
  const bool right_when_slow = !any_failed(rows);
  for (const FastScene& fast : fast_scenes) {
    for (std::uint64_t k = 0; k < plan.seeds; ++k) {
      add({"adaptive step", fast.name, fast.n, plan.seed + k},
          make_fast_scene(fast, plan.seed + k));
      Row& row = rows.back();
      if (row.verdict != Verdict::failed || !row.answered || !right_when_slow) continue;
      if (row.diagnosis == answers_change_text) continue;
      row.diagnosis =
          "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D is small "
          "beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)";
    }
  }
}

}  // namespace nbody
