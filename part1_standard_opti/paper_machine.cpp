#include "paper_machine.hpp"

#include <algorithm>
#include <cmath>

#include "worksheet/authors.hpp"

namespace nbody {

static double rounded_to_tenths(double value) { return std::round(value * 10) / 10; }

PaperMachine paper_machine_of(const std::string& authors) {
  const std::uint64_t hash = hash_of_authors(authors);
  PaperMachine machine;
  machine.peak = 4 + 0.2 * static_cast<double>(hash % 31);  // 4 to 10
  machine.peak_with_fma = 2 * machine.peak;
  // Where the roof bends, in flop/byte: left of both intensities of the naive loop, between them,
  // or right of both.
  constexpr double bends[] = {0.25, 0.8, 2.5};
  const double bend = bends[hash / 31 % 3] * (1 + 0.01 * static_cast<double>(hash / 93 % 21));
  machine.bandwidth = rounded_to_tenths(machine.peak / bend);
  return machine;
}

double attainable(double intensity, double peak, double bandwidth) {
  return std::min(peak, intensity * bandwidth);
}

}  // namespace nbody
