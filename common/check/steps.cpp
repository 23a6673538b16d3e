#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "check/step_diagnosis.hpp"

namespace nbody::check {
namespace {

using protocol::State;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Every step from the state before it, so that the check stays sharp even if end states are
// chaotic.
void judge_each_step(Subject& subject, const Scene& scene, std::uint64_t steps, Row& row) {
  protocol::Request request = subject.request_for(scene);
  request.steps = steps;
  request.want_every_state = true;
  const protocol::Answer answer = subject.ask(request);
  State before = state_of(scene);
  const double dt = scene.setting.dt;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const State& after = answer.states[step];
    StepError error =
        step_error(before, after, reference_at(scene, before), dt, subject.tolerance());
    // The time must advance with the steps.
    const double time = dt * static_cast<double>(step + 1);
    if (!(std::abs(after.time - time) <= 1e-6 * time)) error.max = infinity;
    if (!(error.max <= row.error)) {
      row.error = error.max;
      row.detail =
          fmt::format("step {}: the {} of body {} misses by {:.3g} times its bound", step + 1,
                      error.in_position ? "position" : "velocity", error.worst, error.max);
    }
    if (!(row.error <= row.limit)) {
      row.diagnosis = diagnose_step({scene, answer.states, step}, dt, subject.tolerance());
      break;
    }
    before = after;
  }
  row.verdict = judged(row.error, row.limit);
}

std::vector<State>::const_iterator nearest_to(const State& end, const std::vector<State>& states) {
  return std::min_element(states.begin(), states.end(), [&](const State& a, const State& b) {
    return distance(end, a) < distance(end, b);
  });
}

// A CUDA graph may make, for example, 64 steps at a time: two such batches, and two more.
constexpr std::uint64_t many_steps = 130;
// And enough that a counter of eight bits wraps around.
constexpr std::uint64_t very_many_steps = 1000;

// K steps in one go must end where K single steps end: this finds a lost or an extra step, and
// accelerations that are not updated. The time is too short for encounters, which turn a thousandth
// of a force into a tenth of the path.
void judge_step_count(Subject& subject, Scene scene, std::uint64_t steps, Row& row) {
  scene.setting.dt *= 5.0 / 8 / static_cast<double>(steps);
  protocol::Request request = subject.request_for(scene);
  request.steps = steps;
  const State end = subject.ask(request).states.front();
  const std::vector<State> states = reference_run(scene, steps + 1);
  // Relative to the path; float's rounding of the position is far below one step of it.
  const double moved = distance(states[steps], states[0]);
  row.error = distance(end, states[steps]) / moved;
  row.detail = fmt::format("after {} steps off by {:.2g} of the path", steps, row.error);
  const double time = scene.setting.dt * static_cast<double>(steps);
  if (!(std::abs(end.time - time) <= 1e-6 * time)) {
    row.error = infinity;
    row.diagnosis =
        fmt::format("{} steps of {} s took {} s: the time returned by advance() is wrong", steps,
                    scene.setting.dt, end.time);
  }
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::passed) return;
  const auto ends_at = [&](const State& state) {
    return distance(end, state) <= row.limit * moved;
  };
  if (ends_at(states[steps + 1])) {
    row.diagnosis = "a step too many: advance(steps) makes steps + 1";
  } else if (ends_at(states[steps - 1])) {
    row.diagnosis = "one step too few: advance(steps) makes steps - 1";
  } else if (const auto made = nearest_to(end, states);
             steps >= many_steps && ends_at(*made) && !ends_at(states[steps])) {
    row.diagnosis = fmt::format("only {} of {} steps in one go are made: the rest is lost",
                                made - states.begin(), steps);
  } else if (!ends_at(states[steps]) && ends_at(reference_run(scene, steps, true).back())) {
    row.diagnosis =
        "the accelerations are those of the very first step: compute them in every step";
  }
}

// Without a step, or with dt = 0, the state must be the one that was sent, bit for bit.
void judge_no_time(Subject& subject, Scene scene, std::uint64_t steps, Row& row) {
  scene.setting.dt = 0;
  protocol::Request request = subject.request_for(scene);
  request.steps = steps;
  request.want_accelerations = true;
  const State end = subject.ask(request).states.front();
  const State sent = state_of(scene);
  const bool same = end.position == sent.position && end.velocity == sent.velocity;
  row.error = same ? 0 : infinity;
  row.detail = same ? "unchanged" : "the bodies moved although no time passed";
  if (!same) row.diagnosis = "the bodies are changed outside update_bodies()";
  row.verdict = judged(row.error, row.limit);
}

Scene at_rest(Scene scene) {
  Bodies<double>& b = scene.bodies;
  for (auto* v : {&b.vx, &b.vy, &b.vz}) std::fill(v->begin(), v->end(), 0);
  return scene;
}

}  // namespace

void check_steps(Subject& subject, const Plan& plan, Rows& rows) {
  const auto add = [&](Row row, auto judge, const Scene& scene, std::uint64_t steps) {
    add_row(rows, plan, subject, std::move(row),
            [&](Row& made) { judge(subject, scene, steps, made); });
  };
  struct Size {
    std::size_t n;
    std::uint64_t steps;
  };
  for (const Size size : {Size{2, 20}, Size{33, 50}, Size{257, 8}}) {
    for (std::uint64_t k = 0; k < plan.seeds; ++k) {
      const std::uint64_t seed = plan.seed + k;
      const Scene scene = without_encounters(make_check_scene(scene_in_turn(k), size.n, seed));
      const std::string what = fmt::format("{} single steps", size.steps);
      add({"steps", "5 steps in one go", size.n, seed, 0, 1e-3}, judge_step_count, scene, 5);
      add({"steps", what, size.n, seed, 0, 1}, judge_each_step, scene, size.steps);
      add({"steps", "no time passes", size.n, seed, 0, 0}, judge_no_time, scene, k % 2);
      // After the single steps, which tell more about a wrong step.
      if (size.n == 33) {
        const bool right_so_far = all_passed(rows);
        add({"steps", "one step from rest", size.n, seed, 0, 1}, judge_each_step, at_rest(scene),
            1);
        if (right_so_far && rows.back().diagnosis == mistake_named("no_step")->diagnosis) {
          rows.back().diagnosis = "right for moving bodies: those at rest are left out";
        }
        for (const std::uint64_t many : {many_steps, very_many_steps}) {
          add({"steps", fmt::format("{} steps in one go", many), size.n, seed, 0, 1e-3},
              judge_step_count, scene, many);
        }
      }
    }
  }
}

}  // namespace nbody::check
