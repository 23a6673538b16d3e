#include <algorithm>
#include <string_view>

#include "check/force_diagnosis.hpp"

namespace nbody::check {
namespace {

// With fewer bodies, many mistakes look alike.
constexpr std::size_t enough_bodies = 7;

const Hypothesis* hypothesis_of(const Row& row, std::string_view mistake) {
  const auto found =
      std::find_if(row.hypotheses.begin(), row.hypotheses.end(),
                   [&](const Hypothesis& hypothesis) { return hypothesis.mistake == mistake; });
  return found == row.hypotheses.end() ? nullptr : &*found;
}

struct Vote {
  std::size_t cases = 0, failed = 0, explained = 0;
  std::size_t fewest_bodies = 999999;  // for a case that it explains
};

Vote votes_for(const Hypothesis& hypothesis, const Rows& rows, std::size_t smallest_n) {
  Vote vote;
  for (const Row& row : rows) {
    if (row.n < smallest_n || row.n > hypothesis.largest_n || !row.answered) continue;
    ++vote.cases;
    if (row.verdict != Verdict::failed) continue;
    ++vote.failed;
    if (hypothesis_of(row, hypothesis.mistake) == nullptr) continue;
    ++vote.explained;
    vote.fewest_bodies = std::min(vote.fewest_bodies, row.n);
  }
  return vote;
}

bool convinces(const Hypothesis& hypothesis, const Vote& vote) {
  if (hypothesis.reach == Reach::one_case) return true;
  // Softening matters in a third of the scenes; a wrong formula fails at least that often.
  if (hypothesis.reach == Reach::most_cases && 6 * vote.failed < vote.cases) return false;
  if (vote.fewest_bodies > hypothesis.shows_until) return false;
  return vote.explained > 0 && 4 * vote.explained >= 3 * vote.failed;
}

double share_of(const Vote& vote) {
  return static_cast<double>(vote.explained) / static_cast<double>(vote.failed);
}

}  // namespace

void choose_force_diagnosis(Rows& rows) {
  std::size_t most_bodies = 0;
  for (const Row& row : rows) {
    if (row.verdict == Verdict::failed && row.answered) most_bodies = std::max(most_bodies, row.n);
  }
  const std::size_t smallest_n = most_bodies >= enough_bodies ? enough_bodies : 1;
  const Hypothesis* best = nullptr;
  double best_share = 0;
  for (const Row& row : rows) {
    for (const Hypothesis& hypothesis : row.hypotheses) {
      const Vote vote = votes_for(hypothesis, rows, smallest_n);
      if (!convinces(hypothesis, vote)) continue;
      const double share = hypothesis.reach == Reach::one_case ? 2 : share_of(vote);
      if (share <= best_share) continue;
      best = &hypothesis;
      best_share = share;
    }
  }
  for (Row& row : rows) {
    if (row.verdict != Verdict::failed || row.hypotheses.empty()) continue;
    const Hypothesis* fitting = best == nullptr ? nullptr : hypothesis_of(row, best->mistake);
    row.diagnosis = fitting == nullptr ? "" : fitting->sentence;
  }
}

}  // namespace nbody::check
