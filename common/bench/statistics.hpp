#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace nbody::bench {

// Repeated measurements of one quantity.
struct Statistics {
  double median = 0, minimum = 0, maximum = 0;
  double lower_quartile = 0, upper_quartile = 0;
  // Relative width of the middle half. On a shared machine the extremes say more about other
  // programs than about this one.
  double spread() const { return median > 0 ? (upper_quartile - lower_quartile) / median : 0; }
};

// Linear between the two nearest values.
inline double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// At least one value.
inline Statistics statistics_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), values.front(), values.back(), quantile(values, 0.25),
          quantile(values, 0.75)};
}

// The one in the middle of all, of an even number the larger one. At least one value.
inline double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds of a step in each round, 0 where the round does not count, and the cores that other
// programs used in it; without the latter nothing is known about others.
struct Rounds {
  const std::vector<double>& seconds;
  const std::vector<double>& neighbours;
};

// A neighbour that came or went between two programs of a round would be taken for their ratio.
inline constexpr double most_change_of_neighbours = 0.5;  // cores

// How many times as fast as `other`, in each round that counts for both beside the same neighbours.
inline std::vector<double> ratios_of_rounds(const Rounds& rounds, const Rounds& other) {
  const auto neighbours = [](const Rounds& of, std::size_t k) {
    return k < of.neighbours.size() ? of.neighbours[k] : 0;
  };
  std::vector<double> ratios;
  for (std::size_t k = 0; k < std::min(rounds.seconds.size(), other.seconds.size()); ++k) {
    if (!(rounds.seconds[k] > 0 && other.seconds[k] > 0)) continue;
    if (std::abs(neighbours(rounds, k) - neighbours(other, k)) > most_change_of_neighbours)
      continue;
    ratios.push_back(other.seconds[k] / rounds.seconds[k]);
  }
  return ratios;
}

}  // namespace nbody::bench
