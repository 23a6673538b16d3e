#include <fmt/format.h>

#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"

namespace nbody::check {

namespace {

// What several answers on one number of threads came to.
struct Answers {
  int right = 0;
  bool always_the_same = true;
};

Answers ask_several_times(Subject& subject, const protocol::Request& request,
                          const Reference& reference, int repeats, Row& row) {
  Answers answers;
  Vectors<double> first;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Vectors<double> got = subject.ask(request).accelerations;
    const ForceError error = force_error(reference, got);
    if (error.max <= row.limit) ++answers.right;
    if (repeat == 0) first = got;
    answers.always_the_same = answers.always_the_same && got == first;
    if (!is_nan(row.error) && !(error.max <= row.error)) {
      row.error = is_finite(got) ? error.max : NAN;
      row.detail = describe_force_error(error);
    }
  }
  row.verdict = judged(row.error, row.limit);
  return answers;
}

std::string diagnose_threads(const Answers& answers, unsigned threads, int repeats,
                             std::size_t bodies) {
  const int right = answers.right;
  if (threads == 1) {
    return fmt::format(
        "right {} of {} times on one thread: is memory read before it is "
        "written, or beyond an array's end?",
        right, repeats);
  }
  if (answers.always_the_same) {
    return fmt::format(
        "the same wrong answer every time on {} threads, right on one: is the "
        "remainder lost when {} bodies are shared out to {} threads?",
        threads, bodies, threads);
  }
  return fmt::format(
      "right {} of {} times on {} threads: do threads write to the same place (a "
      "data race)? ./lab check PART NAME --sanitize names the line",
      right, repeats, threads);
}

}  // namespace

// The same bodies on several numbers of threads, several times: each answer against the reference.
// The bits may differ; a race shows as an answer that is wrong now and then.
void check_threads(Subject& subject, const Plan& plan, Rows& rows) {
  const int repeats = plan.thorough ? 30 : 3;
  const Scene scene = make_check_scene(CheckScene::heavy_tail, 1021, plan.seed);
  const Reference reference = reference_of(scene);
  const std::size_t n = scene.bodies.size();
  bool right_on_one_thread = false;
  for (const unsigned threads : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u}) {
    protocol::Request request = subject.request_for(scene);
    request.threads = threads;
    request.want_accelerations = true;
    const std::string what =
        fmt::format("{} thread{}, {} times", threads, threads > 1 ? "s" : "", repeats);
    add_row(rows, plan, subject,
            {"threads", what, n, plan.seed, 0, force_limit(subject.tolerance(), n)}, [&](Row& row) {
              const Answers answers = ask_several_times(subject, request, reference, repeats, row);
              if (threads == 1) right_on_one_thread = answers.right == repeats;
              if (row.verdict == Verdict::failed && (answers.right > 0 || right_on_one_thread)) {
                row.diagnosis = diagnose_threads(answers, threads, repeats, n);
              }
            });
  }
}

}  // namespace nbody::check
