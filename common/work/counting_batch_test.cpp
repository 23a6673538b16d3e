#include "work/counting_batch.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace nbody::work {
namespace {

using T = Counting;
using Batch = xsimd::batch<T>;
using Mask = xsimd::batch_bool<T>;
constexpr std::size_t lanes = Batch::size;

// Of each lane one operation of a class, all others 0.
Counts each(Counts::Tally Counts::*kind, Counts::Tally times = lanes) {
  Counts counts;
  counts.*kind = times;
  return counts;
}

// first, first + step, ... in its lanes.
Batch numbers(double first, double step) {
  std::array<T, lanes> values;
  for (std::size_t k = 0; k < lanes; ++k) values[k] = first + step * static_cast<double>(k);
  return Batch::load_unaligned(values.data());
}

struct Row {
  const char* code;
  std::function<Batch()> compute;
  Counts counts;
  std::function<double(double)> lane;  // of its number
};
#define ROW(code, counts, lane)                                                             \
  {                                                                                         \
#code, [&]() -> Batch { return code; }, counts, [](double k) -> double { return lane; } \
  }

Batch of(const Mask& mask) { return xsimd::select(mask, Batch(1.0), Batch(0.0)); }

TEST(CountingBatch, EveryLaneCounts) {
  const Batch a = numbers(1, 2), b = numbers(3, 1), c = numbers(-5, 1), k4(4.0);
  const Batch i = numbers(0, 1);
  std::vector<T> v(2 * lanes, T(1));
  std::array<T, lanes> local;
  std::vector<Batch> sums(1, Batch(2.0));
  Batch x;
  const Counts::Tally none = 0;
  const Row rows[] = {
      ROW(a + b, each(&Counts::add), 4 + 3 * k),
      ROW(a - b, each(&Counts::add), k - 2),
      ROW(a * b, each(&Counts::mul), (1 + 2 * k) * (3 + k)),
      ROW(2.0 / b, each(&Counts::div), 2 / (3 + k)),
      ROW((x = -a, x += b), each(&Counts::add), 2 - k),
      ROW((x = a, x *= T(2)), each(&Counts::mul), 2 + 4 * k),
      ROW(xsimd::fma(a, b, c), each(&Counts::fma), (1 + 2 * k) * (3 + k) + k - 5),
      ROW(xsimd::fms(a, b, c), each(&Counts::fma), (1 + 2 * k) * (3 + k) - k + 5),
      ROW(xsimd::fnma(a, b, c), each(&Counts::fma), -(1 + 2 * k) * (3 + k) + k - 5),
      ROW(xsimd::fnms(a, b, c), each(&Counts::fma), -(1 + 2 * k) * (3 + k) - k + 5),
      ROW(xsimd::sqrt(a), each(&Counts::sqrt), std::sqrt(1 + 2 * k)),
      ROW(xsimd::rsqrt(a), each(&Counts::rsqrt), 1 / std::sqrt(1 + 2 * k)),
      ROW(xsimd::abs(c), each(&Counts::add, none), std::abs(k - 5)),
      ROW(xsimd::min(a, b), each(&Counts::add, none), std::min(1 + 2 * k, 3 + k)),
      ROW(xsimd::max(a, b), each(&Counts::add, none), std::max(1 + 2 * k, 3 + k)),
      ROW(of(i < k4), each(&Counts::add, none), k < 4),
      ROW(of(i <= k4 && i != Batch(2.0)), each(&Counts::add, none), k <= 4 && k != 2),
      ROW(of(i > k4 || i == Batch(2.0)), each(&Counts::add, none), k > 4 || k == 2),
      ROW(of(!(i >= k4)), each(&Counts::add, none), k < 4),
      ROW(Batch(xsimd::reduce_add(a)), each(&Counts::add, lanes - 1), 256 + 0 * k),
      ROW(Batch(xsimd::reduce_min(c)), each(&Counts::add, none), -5 + 0 * k),
      ROW(Batch(xsimd::reduce_max(c)), each(&Counts::add, none), 10 + 0 * k),
      ROW(Batch::load_aligned(&v[0]), each(&Counts::loads), 1 + 0 * k),
      ROW(Batch::load(&v[1], xsimd::unaligned_mode()), each(&Counts::loads), 1 + 0 * k),
      ROW(xsimd::load_unaligned(&v[1]), each(&Counts::loads), 1 + 0 * k),
      ROW((a.store_unaligned(&v[3]), a), each(&Counts::stores), 1 + 2 * k),
      ROW((xsimd::store_aligned(&v[0], a), a), each(&Counts::stores), 1 + 2 * k),
      ROW((a.store_unaligned(local.data()), a), each(&Counts::add, none), 1 + 2 * k),
      ROW(Batch(v[0]), each(&Counts::loads, 1), 1 + 0 * k),  // one load, like a broadcast
      ROW(sums[0], each(&Counts::loads), 2 + 0 * k),
  };
  for (const auto& [code, compute, counts, lane] : rows) {
    Batch got;
    take_counts();
    got = compute();
    EXPECT_EQ(take_counts(), counts) << code;
    for (std::size_t k = 0; k < lanes; ++k) {
      EXPECT_DOUBLE_EQ(as_double(got.get(k)), lane(static_cast<double>(k))) << code << ", " << k;
    }
  }
  EXPECT_TRUE(xsimd::any(i < k4) && !xsimd::all(i < k4) && xsimd::none(i != i));
}

}  // namespace
}  // namespace nbody::work
