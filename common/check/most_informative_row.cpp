#include <tuple>
#include <vector>

#include "check/report.hpp"

namespace nbody::check {
namespace {

// Smaller is more informative: answers that change, then the group on which the others depend, then
// a row with a diagnosis, then few bodies, but not one alone. A wrong step in a small system has
// several explanations.
auto rank_of(const Row& row) {
  const bool of_steps = row.group != Group::forces && row.group != Group::exact_cases;
  const std::size_t enough = of_steps ? 7 : 2;
  const bool few = row.n < enough;
  return std::tuple(!row.answers_change, row.in_double, row.group, row.diagnosis.empty(), few,
                    row.n);
}

}  // namespace

const Row* most_informative_row(const Rows& rows) {
  const Row* telling = nullptr;
  for (const Row& row : rows) {
    if (row.verdict != Verdict::failed) continue;
    if (telling == nullptr || rank_of(row) < rank_of(*telling)) telling = &row;
  }
  return telling;
}

}  // namespace nbody::check
