// The counting number, and batches of it where xsimd is.
#include "work/counting_number.hpp"

#if HAS_XSIMD
#include "work/counting_batch.hpp"
#endif

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace nbody::work {
namespace {

using T = Counting;

// Nothing leads out, by cast or by assignment; plain numbers lead in.
static_assert(!std::is_constructible_v<double, T> && !std::is_constructible_v<float, T>);
static_assert(!std::is_constructible_v<int, T> && !std::is_constructible_v<bool, T>);
static_assert(!std::is_assignable_v<double&, T> && !std::is_assignable_v<float&, T>);
static_assert(std::is_convertible_v<double, T> && std::is_convertible_v<std::size_t, T>);

// The compiler's own arithmetic.
constexpr T half = T(1) / T(2);
static_assert(half + half == 1 && half < 1.0F && -half > -1.0 && half * 4 - 2 == 0);
static_assert(std::numeric_limits<T>::max() < std::numeric_limits<T>::infinity());

T variable = 4;

std::string counted(const std::function<void()>& function) {
  take_counts();
  function();
  std::string text;
  const Counts counts = take_counts();
  for (std::size_t kind = 0; kind < Counts::kinds; ++kind) {
    if (counts.of[kind] == 0) continue;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(counts.of[kind]) + " " + Counts::names[kind];
  }
  return text;
}

struct Row {
  const char* code;
  std::function<T()> compute;
  double value;
  const char* counts;
};
#define ROW(code, value, counts)                      \
  {                                                   \
#code, [&]() -> T { return code; }, value, counts \
  }

TEST(CountingNumber, OperationsHaveTheirClassAndWhatIsNotOnTheStackIsMemory) {
  const T a = 6, b = 3, c = -2;
  T x, local = 9;
  std::vector<T> v = {1, 2, 3, 4};
  const auto array = std::make_unique<T[]>(2);
  static constexpr T constant = 8;
  const Row rows[] = {
      ROW(a + b, 9, "1 add"),
      ROW(a - std::size_t{1}, 5, "1 add"),
      ROW(2 * a, 12, "1 mul"),
      ROW(3.0F / a, 0.5, "1 div"),
      ROW((x = 6, x += b), 9, "1 add"),
      ROW((x = 6, x -= b), 3, "1 add"),
      ROW((x = 6, x *= 2), 12, "1 mul"),
      ROW((x = 6, x /= b), 2, "1 div"),
      ROW(-a + 0 * b, -6, "1 add, 1 mul"),  // signs are free
      ROW(std::abs(c) < b && a >= b && a != b ? a : b, 6, ""),
      ROW(std::min(b, T(1)), 1, ""),
      ROW(std::fmax(std::max(b, 4.0), c), 4, ""),
      ROW(std::sqrt(T(9)), 3, "1 sqrt"),
      ROW(counting::rsqrt(T(4)), 0.5, "1 rsqrt"),
      ROW(std::fma(a, b, c), 16, "1 fma"),
      ROW(std::pow(a, 2), 36, "1 pow"),
      ROW(std::hypot(T(2), T(3), T(6)), 7, "2 add, 3 mul, 1 sqrt"),
      ROW(as_double(a), 6, "1 escapes"),
      ROW(v[0], 1, "1 loads"),
      ROW((v[0] = local), 9, "1 stores"),
      ROW((v[0] = v[1] = v[2] = T(1)), 1, "3 stores"),
      ROW((v[0] += local), 10, "1 add, 1 loads, 1 stores"),
      ROW(v[3] * v[3], 16, "1 mul, 2 loads"),
      ROW(v[3] > T(1) ? v[3] : v[0], 4, "2 loads"),
      ROW(std::min(v[1], v[3]), 1, "2 loads"),
      ROW(std::accumulate(v.begin(), v.end(), T(0)), 16, "4 add, 4 loads"),
      ROW(std::vector<T>(5).size(), 5, "5 stores"),
      ROW(array[1], 0, "1 loads"),
      ROW(variable, 4, "1 loads"),
      ROW((variable = 4), 4, "1 stores"),
      ROW(constant + half, 8.5, "1 add"),  // constants are parts of instructions
      ROW(local, 9, ""),
  };
  for (const auto& [code, compute, value, counts] : rows) {
    T got;
    EXPECT_EQ(counted([&] { got = compute(); }), counts) << code;
    EXPECT_DOUBLE_EQ(as_double(got), value) << code;
  }
}

TEST(CountingNumber, EveryThreadHasAStackAndItsWorkIsCounted) {
  const T of_first = 3;  // members of a simulator lie there, too
  const auto work = [&] {
    T local = of_first;
    std::vector<T> v(2, local);
    local = v[0] + v[1];
  };
  const auto in_threads = [&] {
    std::thread one(work), other(work);
    one.join();
    other.join();
    work();
  };
  EXPECT_EQ(counted(in_threads), "3 add, 6 loads, 6 stores");
}

TEST(CountingNumber, ItsBytesAreNoPlainNumber) {
  const T x = 2.5, nan = std::numeric_limits<T>::quiet_NaN();
  double as_bytes = 0;
  static_assert(sizeof as_bytes == sizeof x);
  std::memcpy(&as_bytes, &x, sizeof x);
  EXPECT_FALSE(std::abs(as_bytes - 2.5) < 1);
  EXPECT_TRUE(std::isnan(nan) && nan != nan && !(nan < nan) && std::isfinite(x));
}

#if HAS_XSIMD
using Batch = xsimd::batch<T>;
constexpr std::size_t lanes = Batch::size;

// first, first + step, ... in its lanes.
Batch numbers(double first, double step) {
  Batch result;
  for (std::size_t k = 0; k < lanes; ++k) result.lanes[k] = first + step * static_cast<double>(k);
  return result;
}

struct BatchRow {
  const char* code;
  std::function<Batch()> compute;
  const char* counts;
  std::function<double(double)> lane;  // of its number
};
#define BATCH_ROW(code, counts, lane)                                                       \
  {                                                                                         \
#code, [&]() -> Batch { return code; }, counts, [](double k) -> double { return lane; } \
  }

TEST(CountingBatch, EveryLaneCounts) {
  const auto of = [](const auto& mask) { return xsimd::select(mask, Batch(1.0), Batch(0.0)); };
  const Batch a = numbers(1, 2), b = numbers(3, 1), c = numbers(-5, 1), k4(4.0);
  const Batch i = numbers(0, 1);
  std::vector<T> v(2 * lanes, T(1));
  std::vector<Batch> sums(1, Batch(2.0));
  Batch x;
  const BatchRow rows[] = {
      BATCH_ROW(a + b, "16 add", 4 + 3 * k),
      BATCH_ROW(a * b, "16 mul", (1 + 2 * k) * (3 + k)),
      BATCH_ROW(2.0 / b, "16 div", 2 / (3 + k)),
      BATCH_ROW((x = -a, x += b), "16 add", 2 - k),
      BATCH_ROW((x = a, x *= T(2)), "16 mul", 2 + 4 * k),
      BATCH_ROW(xsimd::fma(a, b, c), "16 fma", (1 + 2 * k) * (3 + k) + k - 5),
      BATCH_ROW(xsimd::fms(a, b, c), "16 fma", (1 + 2 * k) * (3 + k) - k + 5),
      BATCH_ROW(xsimd::fnma(a, b, c), "16 fma", -(1 + 2 * k) * (3 + k) + k - 5),
      BATCH_ROW(xsimd::fnms(a, b, c), "16 fma", -(1 + 2 * k) * (3 + k) - k + 5),
      BATCH_ROW(xsimd::sqrt(a), "16 sqrt", std::sqrt(1 + 2 * k)),
      BATCH_ROW(xsimd::rsqrt(a), "16 rsqrt", 1 / std::sqrt(1 + 2 * k)),
      BATCH_ROW(xsimd::min(xsimd::max(a, b), xsimd::abs(c)), "",
                std::min(std::max(1 + 2 * k, 3 + k), std::abs(k - 5))),
      BATCH_ROW(of(i < k4), "", k < 4),
      BATCH_ROW(of(i <= k4 && i != Batch(2.0)), "", k <= 4 && k != 2),
      BATCH_ROW(of(i > k4 || i == Batch(2.0)), "", k > 4 || k == 2),
      BATCH_ROW(of(!(i >= k4)), "", k < 4),
      BATCH_ROW(Batch(xsimd::reduce_add(a)), "15 add", 256 + 0 * k),
      BATCH_ROW(Batch(xsimd::reduce_min(c)), "", -5 + 0 * k),
      BATCH_ROW(Batch(xsimd::reduce_max(c)), "", 10 + 0 * k),
      BATCH_ROW(Batch::load_aligned(&v[0]), "16 loads", 1 + 0 * k),
      BATCH_ROW((a.store_unaligned(&v[3]), a), "16 stores", 1 + 2 * k),
      BATCH_ROW(Batch(v[0]), "1 loads", 1 + 0 * k),  // like a broadcast
      BATCH_ROW(sums[0], "16 loads", 2 + 0 * k),
  };
  for (const auto& [code, compute, counts, lane] : rows) {
    Batch got;
    EXPECT_EQ(counted([&] { got = compute(); }), counts) << code;
    for (std::size_t k = 0; k < lanes; ++k) {
      EXPECT_DOUBLE_EQ(as_double(got.get(k)), lane(static_cast<double>(k))) << code << ", " << k;
    }
  }
  EXPECT_TRUE(xsimd::any(i < k4) && !xsimd::all(i < k4));
}
#endif

}  // namespace
}  // namespace nbody::work
