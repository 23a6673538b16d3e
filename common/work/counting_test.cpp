// The counting number, and batches of it where xsimd is.
#include "work/counting_number.hpp"

#if HAS_XSIMD
#include "work/counting_batch.hpp"
#endif

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <thread>
#include <utility>
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
  const T a = 6, b = 3, c = -2, nan = std::numeric_limits<T>::quiet_NaN();
  T x, local = 9;
  std::vector<T> v = {1, 2, 3, 4};
  static constexpr T constant = 8;
#if HAS_XSIMD
  using namespace xsimd;
  using Batch = xsimd::batch<T>;
  const auto k = [](double first, double step) {
    Batch lanes;
    for (T& lane : lanes.lanes) lane = std::exchange(first, first + step);
    return lanes;
  };
  const Batch one_on = k(1, 1), odd = k(1, 2);
  std::vector<T> w(Batch::size, T(1));
  std::vector<Batch> sums(1, Batch(2.0));
#endif
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
    ROW(nan != nan && !(nan < nan), 1, ""),
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
    ROW(std::min(v[1], v[3]), 1, "2 loads"),
    ROW(std::accumulate(v.begin(), v.end(), T(0)), 16, "4 add, 4 loads"),
    ROW(variable, 4, "1 loads"),
    ROW((variable = 4), 4, "1 stores"),
    ROW(constant + half, 8.5, "1 add"),  // constants are parts of instructions
#if HAS_XSIMD
    // Sums of 16 lanes: 15 add.
    ROW(reduce_add(one_on + odd), 136 + 256, "31 add"),
    ROW(reduce_add(one_on * T(2)), 272, "15 add, 16 mul"),
    ROW(reduce_add(one_on / one_on), 16, "15 add, 16 div"),
    ROW(reduce_add(fma(one_on, Batch(2.0), -odd)), 16, "15 add, 16 fma"),
    ROW(reduce_add(fnma(one_on, Batch(2.0), odd)), -16, "15 add, 16 fma"),
    ROW(reduce_add(sqrt(one_on * one_on)), 136, "15 add, 16 mul, 16 sqrt"),
    ROW(reduce_add(rsqrt(Batch(4.0))), 8, "15 add, 16 rsqrt"),
    ROW(reduce_min(abs(one_on - Batch(9.0))), 0, "16 add"),
    ROW(reduce_max(max(min(odd, Batch(7.0)), one_on)), 16, ""),
    ROW(reduce_add(select(one_on < odd && !(odd > Batch(9.0)), odd, Batch(0.0))), 24, "15 add"),
    ROW(reduce_add(select(one_on == odd || odd >= Batch(31.0), odd, Batch(0.0))), 32, "15 add"),
    ROW(reduce_max(Batch::load_aligned(&w[0])), 1, "16 loads"),
    ROW((odd.store_unaligned(&w[0]), reduce_max(odd)), 31, "16 stores"),
    ROW(reduce_max(Batch(v[3])), 4, "1 loads"),  // like a broadcast
    ROW(reduce_max(sums[0]), 2, "16 loads"),
#endif
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

}  // namespace
}  // namespace nbody::work
