#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "check/plan.hpp"

// What --thorough asks beside the cases of more seeds.

namespace nbody::check {
namespace {

constexpr double longest_answer = 8;  // s

// Judges a case that is no row of the table and adds its row; one without an answer says why.
Row& add_row(Rows& rows, const Plan& plan, const Subject& subject, Row row,
             const std::function<void(Row&)>& judge) {
  try {
    judge(row);
  } catch (const SessionError& fault) {
    note_fault(row, fault, subject);
  }
  plan.on_row(row, 0, 0);
  rows.push_back(std::move(row));
  return rows.back();
}

// In a cube, softened far below their distances. A giant as heavy as all others, which comes first,
// makes them hard to sum: each small term is rounded to its last bit.
Scene uniform(std::size_t n, bool giant, Random& random) {
  Scene scene;
  scene.setting = {1, rounded_to_float(1e-3), 1e-3, 0};
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = 1;
    for (auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) {
      (*q)[i] = rounded_to_float(random.uniform(-1, 1));
    }
  }
  if (giant) bodies.mass[0] = static_cast<double>(n);
  return scene;
}

void judge_many(Subject& subject, bool giant, Row& row, std::size_t right_until) {
  Random random(row.seed * 1000003 + row.n);
  Case test = case_of(row.group, row.scene, uniform(row.n, giant, random));
  test.request.accelerations = true;
  test.rows = Draw({.seed = row.seed}).rows(test.request.bodies);
  const double usual = force_limit(subject.tolerance(), row.n);
  const double plain = plain_sum_limit(subject.tolerance(), row.n);
  // A promise that sums hold is tested at any N.
  Tolerance tolerance = subject.tolerance();
  if (!subject.holds_sums() && giant) tolerance.force *= plain / usual;
  if (subject.holds_sums()) tolerance.force *= tolerance.force / usual;
  judge(test, subject.ask(test.request), tolerance, row);
  if (row.verdict == Verdict::passed) {
    row.detail = row.error <= usual
                     ? ""
                     : fmt::format(
                           "{} loses small terms beside large ones: error {:.0e}, usually "
                           "{:.0e}",
                           name_of(subject.precision()), row.error, usual);
  } else if (row.error <= plain) {
    row.cause = {"long_sums",
                 "its sums lose more than its row promises: one long float sum, where partial "
                 "sums would keep the small terms"};
  } else {
    row.cause = {"too_many", fmt::format("right up to {} bodies, wrong with {}: is an index, an "
                                         "array or a sum too small for so many?",
                                         right_until, row.n)};
  }
}

constexpr std::size_t bodies_of_use = 257;
constexpr int requests = 1000, until_settled = 300;
// A lost array of floats is 1 kB a request; what libraries keep stays below a tenth.
constexpr double most_per_request = 500;
constexpr double most_of_an_end = 5;  // s, for the end of a program: a GPU's driver is slow

// Each request creates and deletes a simulator: leaks add up.
void judge_memory(Subject& subject, const Request& request, Row& row) {
  // A fresh process: memory freed after larger problems would hide a leak.
  subject.session().finish(most_of_an_end);
  std::size_t settled = 0;
  for (int k = 0; k < requests; ++k) {
    subject.ask(request);
    if (k + 1 == until_settled) settled = subject.session().numbers().memory;
  }
  const double grown =
      static_cast<double>(subject.session().numbers().memory) - static_cast<double>(settled);
  row.error = grown > 0 ? grown / (requests - until_settled) : 0;
  row.detail = fmt::format("{:.0f} bytes more per request", row.error);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) {
    row.cause = {"leak", fmt::format("memory leak: {:.0f} bytes per simulator of {} bodies. Delete "
                                     "what you allocate, or use std::vector",
                                     row.error, row.n)};
  }
}

// The last row: the program has nothing more to do.
void judge_end(Subject& subject, const Request& request, Row& row) {
  subject.ask(request);
  const auto start = std::chrono::steady_clock::now();
  row.detail = subject.session().finish(most_of_an_end);
  row.error = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool well = row.detail == "exited with status 0";
  row.verdict = well ? Verdict::passed : Verdict::failed;
  if (!well) {
    row.error = std::max(row.error, 2 * most_of_an_end);
    row.cause = {"unclean_exit",
                 fmt::format("its answers are right, but it does not exit cleanly: it {}. A "
                             "destructor, or a thread that is never joined?",
                             row.detail)};
  }
}

}  // namespace

void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows) {
  const bool right_so_far = all_passed(rows);
  std::size_t right_until = 0;
  for (const Row& row : rows) right_until = std::max(right_until, row.n);
  // Whether there was an answer in time.
  const auto ask = [&](std::size_t n, bool giant) {
    const char* what = giant ? "one body as heavy as the others" : "equal masses";
    const double limit = force_limit(subject.tolerance(), n);
    Row& row = add_row(
        rows, plan, subject,
        Row{Group::many_bodies, fmt::format("{} of {}", n, what), n, plan.seed, false, 0, limit},
        [&](Row& made) { judge_many(subject, giant, made, right_until); });
    if (!right_so_far) row.cause = {};  // the number of bodies is not the cause
    return row.reply == Reply::given;
  };
  // The largest that takes no longer than this one lets expect.
  std::size_t n = many_to;
  if (plan.largest_n > 0 && n > plan.largest_n) return;
  if (!ask(n, false))
    return plan.on_left_out(fmt::format("more than {} bodies: there was no answer", n));
  const double seconds = subject.session().answer_seconds();
  for (const std::size_t larger : {65'537, 131'072, 1'048'577}) {
    const double times = static_cast<double>(larger) / static_cast<double>(many_to);
    if (plan.largest_n > 0 && larger > plan.largest_n) break;
    if (seconds * times * times > longest_answer) {
      plan.on_left_out(fmt::format("{} bodies and more: one answer would take {:.0f} s", larger,
                                   seconds * times * times));
      break;
    }
    n = larger;
  }
  if (n == many_to || ask(n, false)) ask(n, true);
}

void check_long_use(Subject& subject, const Plan& plan, Rows& rows) {
  Request request = case_of(Group::long_use, "",
                            make_check_scene(CheckScene::equal_masses, bodies_of_use, plan.seed))
                        .request;
  request.steps = 1;
  request.accelerations = true;
  const auto add = [&](std::string what, double limit, auto judge) {
    add_row(rows, plan, subject,
            Row{Group::long_use, std::move(what), bodies_of_use, plan.seed, false, 0, limit},
            [&](Row& row) { judge(subject, request, row); });
  };
  add(fmt::format("memory over {} requests", requests), most_per_request, judge_memory);
  add("exits after the last request", most_of_an_end, judge_end);
}

}  // namespace nbody::check
