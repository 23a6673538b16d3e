#include "worksheet/paper_machine.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nbody {

// FNV-1a: any text to a number that is the same on every machine.
std::uint64_t hash_of_authors(const std::string& authors) {
  std::uint64_t hash = 14695981039346656037u;
  bool empty = true;
  for (const char c : authors) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
    if (!letter) continue;
    empty = false;
    hash ^= static_cast<unsigned char>(upper ? c - 'A' + 'a' : c);
    hash *= 1099511628211u;
  }
  if (empty)
    throw std::invalid_argument(
        "question 0 of the worksheet: there is no letter in the authors' names");
  return hash ^ (hash >> 29);
}

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
