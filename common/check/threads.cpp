#include <fmt/format.h>

#include <cmath>

#include "check/check_scenes.hpp"
#include "check/describe.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"

namespace nbody {

// The same bodies on several numbers of threads, several times: each answer against the reference.
// The bits may differ; a race shows as an answer that is wrong now and then.
void check_threads(Subject& subject, const Plan& plan, Rows& rows) {
  const int repeats = plan.thorough ? 30 : 3;
  const Scene scene = make_check_scene(CheckScene::heavy_tail, 1021, plan.seed);
  const Reference reference =
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
  bool right_on_one_thread = false;
  for (const unsigned threads : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u}) {
    Row row{"threads",
            fmt::format("{} thread{}, {} times", threads, threads > 1 ? "s" : "", repeats),
            scene.bodies.size(), plan.seed};
    row.limit = force_limit(subject.tolerance(), scene.bodies.size());
    Request request = subject.request_for(scene);
    request.threads = threads;
    request.want_accelerations = true;
    int right = 0;
    bool always_the_same = true;
    Vectors<double> first;
    try {
      for (int repeat = 0; repeat < repeats; ++repeat) {
        const Vectors<double> got = subject.ask(request).accelerations;
        const ForceError error = force_error(reference, got);
        if (error.max <= row.limit) ++right;
        if (repeat == 0) first = got;
        always_the_same = always_the_same && got == first;
        if (!is_nan(row.error) && !(error.max <= row.error)) {
          row.error = is_finite(got) ? error.max : NAN;
          row.detail = describe_force_error(error);
        }
      }
      row.verdict = judged(row.error, row.limit);
      if (threads == 1) right_on_one_thread = right == repeats;
      if (row.verdict == Verdict::failed && (right > 0 || right_on_one_thread)) {
        row.diagnosis =
            threads == 1 ? fmt::format(
                               "right {} of {} times on one thread: is memory read before it is "
                               "written, or beyond an array's end?",
                               right, repeats)
            : always_the_same
                ? fmt::format(
                      "the same wrong answer every time on {} threads, right on one: is the "
                      "remainder lost when {} bodies are shared out to {} threads?",
                      threads, scene.bodies.size(), threads)
                : fmt::format(
                      "right {} of {} times on {} threads: do threads write to the same place (a "
                      "data race)? ./lab check PART NAME --sanitize names the line",
                      right, repeats, threads);
      }
    } catch (const SessionError& fault) {
      note_fault(row, fault, subject);
    }
    plan.on_row(row);
    rows.push_back(std::move(row));
  }
}

Rows check_everything(Subject& subject, const Plan& plan) {
  Rows rows;
  for (const auto check : {check_forces, check_exact_cases, check_relations})
    check(subject, plan, rows);
  choose_force_diagnosis(rows);
  for (const auto check : {check_steps, check_schemes, check_adaptive_step, check_conservation,
                           subject.has_ranks() ? check_ranks : check_threads}) {
    check(subject, plan, rows);
  }
  if (plan.thorough) {
    check_many_bodies(subject, plan, rows);
    check_long_use(subject, plan, rows);
  }
  return rows;
}

}  // namespace nbody
