#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "check/check_scenes.hpp"
#include "check/plan.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t bodies = 257;
constexpr int requests = 1000, until_settled = 300;
// A lost array of floats is 1 kB a request; what libraries keep stays below a tenth.
constexpr double most_per_request = 500;
constexpr double patience = 5;  // s, for the end of a program: a GPU's driver is slow

// Each request creates and deletes a simulator: leaks add up.
void judge_memory(Subject& subject, const protocol::Request& request, Row& row) {
  // A fresh process: memory freed after larger problems would hide a leak.
  subject.finish(patience);
  std::size_t settled = 0;
  for (int k = 0; k < requests; ++k) {
    subject.ask(request);
    if (k + 1 == until_settled) settled = subject.memory();
  }
  const double grown = static_cast<double>(subject.memory()) - static_cast<double>(settled);
  row.error = grown > 0 ? grown / (requests - until_settled) : 0;
  row.detail = fmt::format("{:.0f} bytes more per request", row.error);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) {
    row.diagnosis = fmt::format(
        "memory leak: {:.0f} bytes per simulator of {} bodies. Delete what you allocate, or use "
        "std::vector",
        row.error, bodies);
  }
}

// The last row: the program has nothing more to do.
void judge_end(Subject& subject, const protocol::Request& request, Row& row) {
  subject.ask(request);
  const auto start = std::chrono::steady_clock::now();
  const std::string ending = subject.finish(patience);
  row.error = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool well = ending == "exited with status 0";
  row.verdict = well ? Verdict::passed : Verdict::failed;
  row.detail = ending;
  if (!well) {
    row.error = std::max(row.error, 2 * patience);
    row.diagnosis = fmt::format(
        "its answers are right, but it does not exit cleanly: it {}. A destructor, or a thread "
        "that is never joined?",
        ending);
  }
}

}  // namespace

void check_long_use(Subject& subject, const Plan& plan, Rows& rows) {
  protocol::Request request =
      subject.request_for(make_check_scene(CheckScene::equal_masses, bodies, plan.seed));
  const auto add = [&](std::string what, double limit, auto judge) {
    add_row(rows, plan, subject,
            Row{Group::long_use, std::move(what), bodies, plan.seed, false, 0, limit},
            [&](Row& row) { judge(subject, request, row); });
  };
  request.steps = 1;
  request.want_accelerations = true;
  add(fmt::format("memory over {} requests", requests), most_per_request, judge_memory);
  add("exits after the last request", patience, judge_end);
}

}  // namespace nbody::check
