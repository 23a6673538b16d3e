#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "check/report.hpp"

namespace nbody::check {
namespace {

// In order of dependence: wrong forces make wrong steps, and both make a run that drifts.
int stage_of(const Row& row) {
  static const std::vector<std::string> stages = {"forces", "exact cases", "steps", "adaptive step",
                                                  "conservation"};
  const auto found = std::find(stages.begin(), stages.end(), row.group);
  return static_cast<int>(found - stages.begin());
}

// Smaller is more informative: the stage first, then a row with a diagnosis, then few bodies, but
// not one alone. A wrong step in a small system has several explanations.
std::tuple<bool, int, bool, bool, std::size_t> rank_of(const Row& row) {
  const int stage = stage_of(row);
  // Answers that change by themselves can sometimes look like any other mistake.
  const bool race = row.diagnosis.find("a data race") != std::string::npos;
  return {!race, stage, row.diagnosis.empty(), row.n<(stage > 1 ? 7u : 2u), stage> 1 ? 0 : row.n};
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
