#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {
namespace {

void judge_double_forces(Subject& subject, const Scene& scene, Row& row) {
  const Vectors<double> got = subject.accelerations(scene);
  row.limit = force_limit(subject.tolerance(), scene.bodies.size());
  judge_forces(row, reference_of(scene), got);
}

// The first step is enough: later ones start from rounded times.
protocol::State first_step(Subject& subject, const Scene& scene, bool adaptive) {
  protocol::Request request = subject.request_for(scene);
  request.steps = 1;
  request.adaptive = adaptive;
  request.want_every_state = true;
  return subject.ask(request).states.front();
}

void judge_step(Subject& subject, const Scene& scene, Row& row) {
  const protocol::State end = first_step(subject, scene, false);
  row.error =
      step_error(state_of(scene), end, reference_of(scene), scene.setting.dt, subject.tolerance())
          .max;
  row.limit = 1;
  row.detail = fmt::format("the step misses by {:.3g} times its bound", row.error);
}

void judge_adaptive_step(Subject& subject, const Scene& scene, Row& row) {
  const double got = first_step(subject, scene, true).time;
  const double expected = reference_time_step(scene.bodies, reference_of(scene).acceleration);
  row.error = std::abs(got / expected - 1);
  row.limit = 1e-12;
  row.detail = fmt::format("expected dt = {:.16g} s, got {:.16g} s", expected, got);
}

}  // namespace

void check_in_double(Subject& subject, const Plan& plan, Rows& rows) {
  // Raw roots, if allowed, are just as inexact in double.
  if (subject.tolerance().name != "standard") return;
  const bool right_in_float = all_passed(rows);
  Subject* twin = nullptr;
  try {
    twin = subject.in_double();
  } catch (const NotBuilt&) {
    Row row{"in double", "build", 0, plan.seed};
    row.error = std::numeric_limits<double>::infinity();
    row.verdict = Verdict::failed;
    row.answered = false;
    row.detail = "the program for double does not compile; see above";
    row.diagnosis = "right in float, but it does not compile for double: see above";
    rows.push_back(std::move(row));
  }
  if (twin == nullptr) return;
  const auto add = [&](const char* what, auto judge, CheckScene kind, std::size_t n,
                       std::uint64_t seed) {
    Row& row = add_row(rows, plan, *twin, {"in double", what, n, seed}, [&](Row& made) {
      judge(*twin, make_check_scene(kind, n, seed), made);
      made.verdict = judged(made.error, made.limit);
    });
    if (row.verdict == Verdict::failed && row.answered && right_in_float) {
      row.diagnosis =
          "right in float, not in double: float or 1.0f where real belongs, or too few Newton "
          "steps?";
    }
  };
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    const std::uint64_t seed = plan.seed + k;
    add("forces", judge_double_forces, CheckScene::heavy_tail, 129, seed);
    add("one step", judge_step, CheckScene::equal_masses, 33, seed);
    add("adaptive step", judge_adaptive_step, CheckScene::equal_masses, 33, seed);
  }
}

}  // namespace nbody::check
