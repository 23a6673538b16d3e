#include "attempt/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "bench/compare.hpp"
#include "bench/statistics.hpp"

namespace nbody::attempt {
namespace {

constexpr double least_difference = 0.02;

bool is_one(double ratio) { return std::abs(ratio - 1) < least_difference; }

// Probability that of `rounds` coin throws at least `agreeing` fall on one side.
double chance_of(std::size_t agreeing, std::size_t rounds) {
  double ways = 1, sum = 0;  // `k` throws on the other side
  for (std::size_t k = 0; k <= rounds - agreeing; ++k) {
    sum += ways;
    ways = ways * static_cast<double>(rounds - k) / static_cast<double>(k + 1);
  }
  return std::min(1.0, 2 * sum / std::pow(2.0, static_cast<double>(rounds)));
}

bool rounds_agree(const std::vector<double>& ratios) {
  const auto above = static_cast<std::size_t>(
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio > 1; }));
  return chance_of(std::max(above, ratios.size() - above), ratios.size()) <= 0.05;
}

// The middle halves do not overlap.
bool apart(const bench::Statistics& one, const bench::Statistics& other) {
  return one.upper_quartile < other.lower_quartile || other.upper_quartile < one.lower_quartile;
}

bench::Statistics measured(std::vector<double> seconds) {
  std::erase(seconds, 0.0);
  return bench::statistics_of(std::move(seconds));
}

}  // namespace

std::optional<Gain> gain_of(const bench::Rounds& mine, const bench::Rounds& before) {
  const std::vector<double> ratios = bench::ratios_of_rounds(mine, before);
  // Five rounds agree by chance in 6 % of all cases.
  if (ratios.size() < 6) return std::nullopt;
  const bench::Statistics of = bench::statistics_of(ratios);
  const bool one_is_outside = of.lower_quartile > 1 || of.upper_quartile < 1;
  const bool separate = one_is_outside && apart(measured(mine.seconds), measured(before.seconds));
  const bool noisy = of.spread() > bench::widest_spread;
  const bool real = !noisy && (rounds_agree(ratios) || separate) && !is_one(of.median);
  return Gain{of.median, of.lower_quartile, of.upper_quartile, real, false, noisy};
}

Gain estimated_gain(double times_naive, double spread, double times_naive_before,
                    double spread_before) {
  const double ratio = times_naive / times_naive_before;
  const double half = (spread + spread_before) / 2;
  return {ratio, ratio * (1 - half), ratio * (1 + half),
          std::abs(ratio - 1) > half * ratio && !is_one(ratio), true};
}

std::string verdict_word(double expected, const Gain& gain) {
  if (gain.noisy) return "too noisy to tell";
  if (!gain.real) return is_one(expected) ? "as expected" : "no difference beyond the spread";
  // A gain where a loss was expected, or no gain, is not as expected, however close.
  const bool same_side = !is_one(expected) && (gain.ratio > 1) == (expected > 1);
  if (same_side && std::abs(gain.ratio - expected) <= close_enough * expected) return "as expected";
  return gain.ratio < expected ? "less than expected" : "more than expected";
}

}  // namespace nbody::attempt
