// The bits of xsimd::rsqrt: minus log2 of its largest relative error, over every float from 1 to 4
// (what follows repeats), and over as many doubles. data/results/rsqrt_bits.json says how it was
// built and what it printed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <xsimd/xsimd.hpp>

template <class Batch, class Bits>
double bits_of_rsqrt(Bits step) {
  using T = typename Batch::value_type;
  const auto from = std::bit_cast<Bits>(T(1)), to = std::bit_cast<Bits>(T(4));
  alignas(64) T x[Batch::size], y[Batch::size];
  double worst = 0;
  for (Bits at = from; at < to; at += step * Batch::size) {
    for (std::size_t k = 0; k < Batch::size; ++k) {
      x[k] = std::bit_cast<T>(std::min<Bits>(at + step * k, to));
    }
    xsimd::rsqrt(Batch::load_aligned(x)).store_aligned(y);
    for (std::size_t k = 0; k < Batch::size; ++k) {
      worst = std::max(worst, std::abs(double(y[k]) * std::sqrt(double(x[k])) - 1));
    }
  }
  return -std::log2(worst);
}

int main() {
  std::printf("%zu lanes: float %.1f, double %.1f\n", xsimd::batch<float>::size,
              bits_of_rsqrt<xsimd::batch<float>, std::uint32_t>(1),
              bits_of_rsqrt<xsimd::batch<double>, std::uint64_t>(1ULL << 29));
}
