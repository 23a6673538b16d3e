#include <fmt/format.h>

#include <algorithm>

#include "check/case.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"

namespace nbody::check {

// Each request creates and deletes a simulator: leaks add up. And a program that has nothing more
// to do must end.
void check_long_use(Subject& subject, const Plan& plan, Rows& rows) {
  constexpr int requests = 1000, until_settled = 300;
  constexpr double patience = 5;  // s, for its end: a GPU's driver is slow
  const Scene scene = make_check_scene(CheckScene::equal_masses, 257, plan.seed);
  Request request = case_of(Group::long_use, "", scene).request;
  request.steps = 1;
  Row row{.group = Group::long_use,
          .scene = "memory over 1000 requests, and the end",
          .n = 257,
          .seed = plan.seed};
  // A lost array of floats is 1 kB a request; what libraries keep stays below a tenth.
  row.limit = 500;
  try {
    // A fresh process: memory freed after larger problems would hide a leak.
    subject.session().finish(patience);
    const auto memory = [&] { return static_cast<double>(subject.session().numbers().memory); };
    double settled = 0;
    for (int k = 1; k <= requests; ++k) {
      subject.ask(request);
      if (k == until_settled) settled = memory();
    }
    row.error = std::max(0.0, (memory() - settled) / (requests - until_settled));
    row.verdict = judged(row.error, row.limit);
    row.detail = subject.session().finish(patience);
    if (row.verdict == Verdict::failed) {
      row.cause = {"leak", fmt::format("memory leak: {:.0f} bytes per simulator of {} bodies. "
                                       "Delete what you allocate, or use std::vector",
                                       row.error, row.n)};
    } else if (row.detail != "exited with status 0") {
      row.verdict = Verdict::failed;
      row.error = infinity;
      row.cause = {"unclean_exit",
                   fmt::format("its answers are right, but it does not exit cleanly: it {}. A "
                               "destructor, or a thread that is never joined?",
                               row.detail)};
    }
  } catch (const SessionError& fault) {
    note_fault(row, fault, subject);
  }
  plan.on_row(row, 0, 0);
  rows.push_back(std::move(row));
}

}  // namespace nbody::check
