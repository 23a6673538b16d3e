// arena.cpp is part of this program: what new serves is memory, locals are registers.
#include "work/counting_batch.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "work/arena.hpp"

namespace nbody::work {
namespace {

using T = Counting;
using Batch = xsimd::batch<T>;
constexpr std::size_t lanes = Batch::size;

template <typename Function>
Counts counts_of(Function function) {
  open_arena();
  work_so_far = {};
  function();
  return work_so_far;
}

// Of each lane what one class says, all others 0.
Counts each(Counts::Tally Counts::*kind, Counts::Tally times = lanes) {
  Counts counts;
  counts.*kind = times;
  return counts;
}

std::vector<double> plain(const Batch& batch) {
  std::vector<double> values;
  for (std::size_t k = 0; k < lanes; ++k) values.push_back(as_double(batch.get(k)));
  return values;
}

// first, first + step, ... in its lanes.
Batch numbers(double first, double step) {
  std::array<T, lanes> values;
  for (std::size_t k = 0; k < lanes; ++k) values[k] = first + step * static_cast<double>(k);
  return Batch::load_unaligned(values.data());
}

template <typename Function>
void expect_lanes(const Batch& got, Function expected) {
  const std::vector<double> values = plain(got);
  for (std::size_t k = 0; k < lanes; ++k) {
    EXPECT_DOUBLE_EQ(values[k], expected(static_cast<double>(k))) << "lane " << k;
  }
}

TEST(CountingBatch, OperatorsCountEveryLane) {
  const Batch a = numbers(1, 2), b = numbers(3, 1);
  Batch c;
  EXPECT_EQ(counts_of([&] { c = a + b; }), each(&Counts::add));
  expect_lanes(c, [](double k) { return 1 + 2 * k + 3 + k; });
  EXPECT_EQ(counts_of([&] { c = a - b; }), each(&Counts::add));
  expect_lanes(c, [](double k) { return 1 + 2 * k - 3 - k; });
  EXPECT_EQ(counts_of([&] { c = a * b; }), each(&Counts::mul));
  expect_lanes(c, [](double k) { return (1 + 2 * k) * (3 + k); });
  EXPECT_EQ(counts_of([&] { c = a / b; }), each(&Counts::div));
  expect_lanes(c, [](double k) { return (1 + 2 * k) / (3 + k); });
  EXPECT_EQ(counts_of([&] { c = -a; }), Counts{});
  expect_lanes(c, [](double k) { return -1 - 2 * k; });
  EXPECT_EQ(counts_of([&] { (c = a) += b; }), each(&Counts::add));
  EXPECT_EQ(counts_of([&] { (c = a) -= b; }), each(&Counts::add));
  EXPECT_EQ(counts_of([&] { (c = a) *= b; }), each(&Counts::mul));
  EXPECT_EQ(counts_of([&] { (c = a) /= b; }), each(&Counts::div));
  EXPECT_EQ(counts_of([&] { c = 2.0 * a + T(1); }), each(&Counts::mul) + each(&Counts::add));
  expect_lanes(c, [](double k) { return 3 + 4 * k; });
}

TEST(CountingBatch, FunctionsHaveTheirClass) {
  const Batch a = numbers(1, 2), b = numbers(3, 1), c = numbers(-5, 1);
  Batch d;
  EXPECT_EQ(counts_of([&] { d = xsimd::fma(a, b, c); }), each(&Counts::fma));
  expect_lanes(d, [](double k) { return (1 + 2 * k) * (3 + k) + k - 5; });
  EXPECT_EQ(counts_of([&] { d = xsimd::fms(a, b, c); }), each(&Counts::fma));
  expect_lanes(d, [](double k) { return (1 + 2 * k) * (3 + k) - k + 5; });
  EXPECT_EQ(counts_of([&] { d = xsimd::fnma(a, b, c); }), each(&Counts::fma));
  expect_lanes(d, [](double k) { return -(1 + 2 * k) * (3 + k) + k - 5; });
  EXPECT_EQ(counts_of([&] { d = xsimd::fnms(a, b, c); }), each(&Counts::fma));
  expect_lanes(d, [](double k) { return -(1 + 2 * k) * (3 + k) - k + 5; });
  EXPECT_EQ(counts_of([&] { d = xsimd::sqrt(a); }), each(&Counts::sqrt));
  expect_lanes(d, [](double k) { return std::sqrt(1 + 2 * k); });
  EXPECT_EQ(counts_of([&] { d = xsimd::rsqrt(a); }), each(&Counts::rsqrt));
  expect_lanes(d, [](double k) { return 1 / std::sqrt(1 + 2 * k); });
  EXPECT_EQ(counts_of([&] { d = xsimd::abs(c); }), Counts{});
  expect_lanes(d, [](double k) { return std::abs(k - 5); });
  EXPECT_EQ(counts_of([&] { d = xsimd::min(a, b); }), Counts{});
  expect_lanes(d, [](double k) { return std::min(1 + 2 * k, 3 + k); });
  EXPECT_EQ(counts_of([&] { d = xsimd::max(a, b); }), Counts{});
  expect_lanes(d, [](double k) { return std::max(1 + 2 * k, 3 + k); });
}

TEST(CountingBatch, MasksAreFree) {
  const Batch a = numbers(0, 1), limit(4.0);
  Batch c;
  EXPECT_EQ(counts_of([&] { c = xsimd::select(a < limit, a, Batch(T(0))); }), Counts{});
  expect_lanes(c, [](double k) { return k < 4 ? k : 0; });
  const auto expect_mask = [&](const auto& mask, auto expected) {
    for (std::size_t k = 0; k < lanes; ++k) EXPECT_EQ(mask.get(k), expected(k)) << "lane " << k;
  };
  expect_mask(a <= limit, [](std::size_t k) { return k <= 4; });
  expect_mask(a > limit, [](std::size_t k) { return k > 4; });
  expect_mask(a >= limit, [](std::size_t k) { return k >= 4; });
  expect_mask(a == limit, [](std::size_t k) { return k == 4; });
  expect_mask(a != limit, [](std::size_t k) { return k != 4; });
  expect_mask(a < limit && a > Batch(1.0), [](std::size_t k) { return k == 2 || k == 3; });
  expect_mask(a < limit || a > Batch(8.0), [](std::size_t k) { return k < 4 || k > 8; });
  expect_mask(!(a < limit), [](std::size_t k) { return k >= 4; });
  EXPECT_TRUE(xsimd::any(a < limit) && !xsimd::all(a < limit) && !xsimd::none(a < limit));
  EXPECT_TRUE(xsimd::all(a == a) && xsimd::none(a != a));
}

TEST(CountingBatch, ReductionsTakeOneOperationLess) {
  const Batch a = numbers(3, 2);
  T sum;
  EXPECT_EQ(counts_of([&] { sum = xsimd::reduce_add(a); }), each(&Counts::add, lanes - 1));
  EXPECT_EQ(as_double(sum), 16 * 3 + 2 * 120);
  EXPECT_EQ(counts_of([&] { sum = xsimd::reduce_min(a); }), Counts{});
  EXPECT_EQ(as_double(sum), 3);
  EXPECT_EQ(counts_of([&] { sum = xsimd::reduce_max(a); }), Counts{});
  EXPECT_EQ(as_double(sum), 33);
}

TEST(CountingBatch, LoadsAndStoresAreSeenByAddress) {
  std::vector<T> v(2 * lanes, T(1));
  std::array<T, lanes> local;
  Batch a;
  EXPECT_EQ(counts_of([&] { a = Batch::load_aligned(&v[0]); }), each(&Counts::loads));
  EXPECT_EQ(counts_of([&] { a = Batch::load_unaligned(&v[1]); }), each(&Counts::loads));
  EXPECT_EQ(counts_of([&] { a = Batch::load(&v[1], xsimd::unaligned_mode()); }),
            each(&Counts::loads));
  EXPECT_EQ(counts_of([&] { a = xsimd::load_unaligned(&v[1]); }), each(&Counts::loads));
  EXPECT_EQ(counts_of([&] { a.store_aligned(&v[0]); }), each(&Counts::stores));
  EXPECT_EQ(counts_of([&] { a.store_unaligned(&v[3]); }), each(&Counts::stores));
  EXPECT_EQ(counts_of([&] { xsimd::store_aligned(&v[0], a); }), each(&Counts::stores));
  EXPECT_EQ(counts_of([&] { a.store_unaligned(local.data()); }), Counts{});
  EXPECT_EQ(counts_of([&] { a = Batch::load_unaligned(local.data()); }), Counts{});
  EXPECT_EQ(counts_of([&] { a = Batch(v[3]); }), each(&Counts::loads, 1));
  EXPECT_EQ(counts_of([&] { a = Batch::broadcast(v[3]); }), each(&Counts::loads, 1));
}

TEST(CountingBatch, BatchesInMemoryAreLoadedAndStored) {
  std::vector<Batch> sums(2, Batch(0.0));
  const Batch one(1.0);
  EXPECT_EQ(counts_of([&] { sums[1] += one; }),
            each(&Counts::loads) + each(&Counts::add) + each(&Counts::stores));
}

TEST(CountingBatch, XsimdsOwnAllocatorIsSeen) {
  std::vector<T, xsimd::aligned_allocator<T>> v(3, T(1));
  EXPECT_EQ(counts_of([&] { v[0] = v[1]; }), each(&Counts::loads, 1) + each(&Counts::stores, 1));
}

}  // namespace
}  // namespace nbody::work
