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
constexpr std::size_t bodies_of_use = 257;
constexpr int requests = 1000, until_settled = 300;
// A lost array of floats is 1 kB a request; what libraries keep stays below a tenth.
constexpr double most_per_request = 500;
constexpr double most_of_an_end = 5;  // s, for the end of a program: a GPU's driver is slow

// Judges what is no row of the table of cases and adds its row; one without an answer says why.
template <typename Judge>
Row& add_row(Rows& rows, const Plan& plan, Subject& subject, Row row, const Judge& judge) {
  row.seed = plan.seed;
  try {
    judge(row);
  } catch (const SessionError& fault) {
    note_fault(row, fault, subject);
  }
  plan.on_row(row, 0, 0);
  return rows.emplace_back(std::move(row));
}

// In a cube, softened far below their distances. A giant as heavy as all others, which comes first,
// makes them hard to sum: each small term is rounded to its last bit.
Case uniform(std::size_t n, bool giant, std::uint64_t seed) {
  Random random(seed * 1000003 + n);
  Scene scene;
  scene.setting = {1, rounded_to_float(1e-3), 1e-3, 0};
  Bodies<double>& b = scene.bodies;
  b.resize(n);
  std::ranges::fill(b.mass, 1);
  for (auto* q : {&b.qx, &b.qy, &b.qz}) {
    for (double& value : *q) value = rounded_to_float(random.uniform(-1, 1));
  }
  if (giant) b.mass[0] = static_cast<double>(n);
  Case test = case_of(Group::many_bodies, "", scene);
  test.request.accelerations = true;
  test.rows = Draw({.seed = seed}).rows(b);
  return test;
}

void judge_many(Subject& subject, bool giant, Row& row) {
  const Case test = uniform(row.n, giant, row.seed);
  const double usual = force_limit(subject.tolerance(), row.n);
  const double plain = plain_sum_limit(subject.tolerance(), row.n);
  // A promise that sums hold is tested at any N.
  Tolerance tolerance = subject.tolerance();
  if (!subject.holds_sums() && giant) tolerance.force *= plain / usual;
  if (subject.holds_sums()) tolerance.force *= tolerance.force / usual;
  judge(test, subject.ask(test.request), tolerance, row);
  if (row.verdict == Verdict::passed) {
    row.detail = row.error <= usual ? ""
                                    : fmt::format(
                                          "float loses small terms beside large ones: "
                                          "error {:.0e}, usually {:.0e}",
                                          row.error, usual);
  } else if (row.error <= plain) {
    row.cause = {"long_sums",
                 "its sums lose more than its row promises: one long float sum, where partial "
                 "sums would keep the small terms"};
  } else {
    row.cause = {"too_many", fmt::format("wrong with {} bodies: is an index, an array or a sum too "
                                         "small for so many?",
                                         row.n)};
  }
}

}  // namespace

void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows) {
  const auto ask = [&](std::size_t n, bool giant) {
    const char* what = giant ? "one body as heavy as the others" : "equal masses";
    return add_row(rows, plan, subject, Row{.group = Group::many_bodies, .scene = what, .n = n},
                   [&](Row& row) { judge_many(subject, giant, row); })
               .reply == Reply::given;
  };
  // First as many as a case may have, which tells what more will take.
  constexpr std::size_t larger = 65'537;
  std::size_t n = many_to;
  if ((plan.largest_n > 0 && n > plan.largest_n) || !ask(n, false)) return;
  const double seconds = 16 * subject.session().answer_seconds();
  if (seconds > longest_answer) {
    plan.on_left_out(fmt::format("{} bodies: one answer would take {:.0f} s", larger, seconds));
  } else if (plan.largest_n == 0 || larger <= plan.largest_n) {
    n = larger;
    if (!ask(n, false)) return;
  }
  ask(n, true);
}

void check_long_use(Subject& subject, const Plan& plan, Rows& rows) {
  Request request = case_of(Group::long_use, "",
                            make_check_scene(CheckScene::equal_masses, bodies_of_use, plan.seed))
                        .request;
  request.steps = 1;
  request.accelerations = true;
  Row row{.group = Group::long_use, .n = bodies_of_use};

  row.scene = fmt::format("memory over {} requests", requests);
  row.limit = most_per_request;
  // Each request creates and deletes a simulator: leaks add up.
  add_row(rows, plan, subject, row, [&](Row& leak) {
    // A fresh process: memory freed after larger problems would hide a leak.
    subject.session().finish(most_of_an_end);
    double settled = 0;
    for (int k = 0; k < requests; ++k) {
      subject.ask(request);
      if (k + 1 == until_settled) {
        settled = static_cast<double>(subject.session().numbers().memory);
      }
    }
    const double grown = static_cast<double>(subject.session().numbers().memory) - settled;
    leak.error = std::max(0.0, grown / (requests - until_settled));
    leak.verdict = judged(leak.error, leak.limit);
    if (leak.verdict == Verdict::passed) return;
    leak.cause = {"leak", fmt::format("memory leak: {:.0f} bytes per simulator of {} bodies. "
                                      "Delete what you allocate, or use std::vector",
                                      leak.error, leak.n)};
  });

  // The program has nothing more to do.
  row.scene = "exits after the last request";
  row.limit = most_of_an_end;
  add_row(rows, plan, subject, row, [&](Row& end) {
    subject.ask(request);
    const auto start = std::chrono::steady_clock::now();
    end.detail = subject.session().finish(most_of_an_end);
    end.error = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    end.verdict = Verdict::passed;
    if (end.detail == "exited with status 0") return;
    end.verdict = Verdict::failed;
    end.error = 2 * most_of_an_end;
    end.cause = {"unclean_exit",
                 fmt::format("its answers are right, but it does not exit cleanly: it {}. A "
                             "destructor, or a thread that is never joined?",
                             end.detail)};
  });
}

}  // namespace nbody::check
