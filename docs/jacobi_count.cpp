// The example of measuring.md: one sweep over a grid, written twice, run on the number that
// counts. Build it as that page says.
#include "work/counting_number.hpp"
// The counting number comes first, as in every count program.
#include <cstdio>
#include <vector>

namespace {

using nbody::Counting;
using nbody::work::Counts;

// A point becomes the mean of its four neighbours. m x m points, the border stays.
template <typename T>
void sweep(const std::vector<T>& from, std::vector<T>& to, std::size_t m) {
  for (std::size_t y = 1; y < m - 1; ++y) {
    for (std::size_t x = 1; x < m - 1; ++x) {
      const std::size_t here = y * m + x;
      to[here] = T(0.25) * (from[here - m] + from[here + m] + from[here - 1] + from[here + 1]);
    }
  }
}

// The same; what the row has loaded once stays in a register until it is the left neighbour.
template <typename T>
void sweep_in_registers(const std::vector<T>& from, std::vector<T>& to, std::size_t m) {
  for (std::size_t y = 1; y < m - 1; ++y) {
    T left = from[y * m];
    T middle = from[y * m + 1];
    for (std::size_t x = 1; x < m - 1; ++x) {
      const std::size_t here = y * m + x;
      const T right = from[here + 1];
      to[here] = T(0.25) * (from[here - m] + from[here + m] + left + right);
      left = middle;
      middle = right;
    }
  }
}

template <typename Sweep>
void show(const char* name, Sweep sweep_once) {
  constexpr std::size_t m = 102;  // 100 x 100 points are computed
  std::vector<Counting> from(m * m), to(m * m);
  nbody::work::take_counts();
  sweep_once(from, to, m);
  const Counts counts = nbody::work::take_counts();
  std::printf("%-14s add %llu  mul %llu  loads %llu  stores %llu\n", name,
              static_cast<unsigned long long>(counts.of[Counts::add]),
              static_cast<unsigned long long>(counts.of[Counts::mul]),
              static_cast<unsigned long long>(counts.of[Counts::loads]),
              static_cast<unsigned long long>(counts.of[Counts::stores]));
}

}  // namespace

int main() {
  show("as written", sweep<Counting>);
  show("in registers", sweep_in_registers<Counting>);
}
