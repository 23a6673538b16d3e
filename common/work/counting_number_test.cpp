// arena.cpp is part of this program: what new serves is memory, locals are registers.
#include "work/counting_number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "work/arena.hpp"

namespace nbody::work {
namespace {

using T = Counting;

template <typename Function>
Counts counts_of(Function function) {
  open_arena();
  work_so_far = {};
  function();
  return work_so_far;
}

// The value for a comparison, not counted in what is compared.
double plain(const T& x) {
  const Counts before = work_so_far;
  const double value = as_double(x);
  work_so_far = before;
  return value;
}

// What one class says, all others 0.
Counts only(Counts::Tally Counts::*kind, Counts::Tally times = 1) {
  Counts counts;
  counts.*kind = times;
  return counts;
}

Counts memory(std::uint64_t loads, std::uint64_t stores) {
  return only(&Counts::loads, loads) + only(&Counts::stores, stores);
}

// Nothing leads out, by cast or by assignment; plain numbers lead in.
static_assert(!std::is_constructible_v<double, T> && !std::is_constructible_v<float, T>);
static_assert(!std::is_constructible_v<int, T> && !std::is_constructible_v<bool, T>);
static_assert(!std::is_assignable_v<double&, T> && !std::is_assignable_v<float&, T>);
static_assert(std::is_convertible_v<double, T> && std::is_convertible_v<float, T>);
static_assert(std::is_convertible_v<int, T> && std::is_convertible_v<std::size_t, T>);

// The compiler's own arithmetic.
constexpr T half = T(1) / T(2);
static_assert(half + half == 1 && half < 1.0F && -half > -1.0 && half * 4 - 2 == 0);
static_assert(std::numeric_limits<T>::max() < std::numeric_limits<T>::infinity());
static_assert(std::numeric_limits<T>::is_iec559 && std::numeric_limits<T>::lowest() < 0);
static_assert(std::min(T(3), T(2)) == 2 && std::max(T(3), T(2)) == 3);

TEST(CountingNumber, OperatorsHaveTheirClass) {
  const T a = 6, b = 3;
  T result;
  const auto expect = [&](auto function, Counts::Tally Counts::*kind, double value) {
    EXPECT_EQ(counts_of([&] { result = function(); }), only(kind)) << value;
    EXPECT_EQ(plain(result), value);
  };
  expect([&] { return a + b; }, &Counts::add, 9);
  expect([&] { return a - b; }, &Counts::add, 3);
  expect([&] { return a * b; }, &Counts::mul, 18);
  expect([&] { return a / b; }, &Counts::div, 2);
  expect([&] { return 2 * a; }, &Counts::mul, 12);
  expect([&] { return a * 0.5; }, &Counts::mul, 3);
  expect([&] { return 3.0F / a; }, &Counts::div, 0.5);
  expect([&] { return a - std::size_t{1}; }, &Counts::add, 5);
}

TEST(CountingNumber, AssigningOperatorsHaveTheirClass) {
  const T b = 3;
  T x;
  const auto expect = [&](auto function, Counts::Tally Counts::*kind, double value) {
    x = 6;
    EXPECT_EQ(counts_of(function), only(kind)) << value;
    EXPECT_EQ(plain(x), value);
  };
  expect([&] { x += b; }, &Counts::add, 9);
  expect([&] { x -= b; }, &Counts::add, 3);
  expect([&] { x *= b; }, &Counts::mul, 18);
  expect([&] { x /= b; }, &Counts::div, 2);
  expect([&] { x *= 2; }, &Counts::mul, 12);
  expect([&] { ++x; }, &Counts::add, 7);
  expect([&] { --x; }, &Counts::add, 5);
  expect([&] { x++; }, &Counts::add, 7);
  expect([&] { x--; }, &Counts::add, 5);
  T old;
  expect([&] { old = x++; }, &Counts::add, 7);
  EXPECT_EQ(plain(old), 6);
  expect([&] { old = x--; }, &Counts::add, 5);
  EXPECT_EQ(plain(old), 6);
  expect([&] { old = ++x; }, &Counts::add, 7);
  EXPECT_EQ(plain(old), 7);
}

TEST(CountingNumber, SignsComparisonsAndChoicesAreFree) {
  const T a = -6, b = 3;
  bool right = false;
  EXPECT_EQ(counts_of([&] {
              right = a < b && a <= b && b > a && b >= a && a != b && a == T(-6) && !(a < -6) &&
                      -a == 6 && +a == -6 && std::abs(a) == 6 && std::fabs(a) == 6 && abs(a) == 6 &&
                      std::min(a, b) == -6 && std::max(a, b) == 3 && std::min(b, T(1)) == 1 &&
                      std::max(b, 4.0) == 4 && std::fmin(a, b) == -6 && std::fmax(a, b) == 3 &&
                      (a < b ? a : T(0)) == -6 && (a < b ? b : 0.5F) == 3;
            }),
            Counts{});
  EXPECT_TRUE(right);
}

TEST(CountingNumber, NotANumberStaysOne) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  EXPECT_TRUE(std::isnan(nan) && !std::isnan(infinity) && std::isinf(infinity) &&
              !std::isinf(T(1)));
  EXPECT_TRUE(std::isfinite(T(1)) && !std::isfinite(nan) && !std::isfinite(infinity));
  EXPECT_FALSE(nan == nan || nan < nan || nan > nan);
  EXPECT_TRUE(nan != nan);
}

TEST(CountingNumber, FunctionsHaveTheirClass) {
  const T a = 9, b = 2, c = 5;
  T result;
  const auto expect = [&](auto function, const Counts& counts, double value) {
    EXPECT_EQ(counts_of([&] { result = function(); }), counts) << value;
    EXPECT_DOUBLE_EQ(plain(result), value);
  };
  expect([&] { return std::sqrt(a); }, only(&Counts::sqrt), 3);
  expect([&] { return sqrt(a); }, only(&Counts::sqrt), 3);
  expect([&] { return rsqrt(a); }, only(&Counts::rsqrt), 1 / 3.0);
  expect([&] { return std::fma(a, b, c); }, only(&Counts::fma), 23);
  expect([&] { return std::fma(a, 2.0, 1); }, only(&Counts::fma), 19);
  expect([&] { return std::pow(a, b); }, only(&Counts::pow), 81);
  expect([&] { return std::pow(a, 2); }, only(&Counts::pow), 81);
  expect([&] { return std::pow(a, 1.5); }, only(&Counts::pow), 27);
  expect([&] { return std::pow(2.0F, a); }, only(&Counts::pow), 512);
  expect([&] { return std::cbrt(T(27)); }, only(&Counts::pow), 3);
  expect([&] { return std::exp(std::log(a)); }, only(&Counts::pow, 2), 9);
  const Counts two = only(&Counts::mul, 2) + only(&Counts::add) + only(&Counts::sqrt);
  expect([] { return std::hypot(T(3), T(4)); }, two, 5);
  expect([] { return std::hypot(T(3), 4); }, two, 5);
  const Counts three = only(&Counts::mul, 3) + only(&Counts::add, 2) + only(&Counts::sqrt);
  expect([] { return std::hypot(T(2), T(3), T(6)); }, three, 7);
}

TEST(CountingNumber, FlopsWeighAnFmaTwice) {
  EXPECT_EQ(flops({1, 10, 100, 1000, 10000, 100000, 1000000, 5, 7, 9}), 1211111u);
}

TEST(CountingNumber, HeapIsMemoryAndLocalsAreRegisters) {
  std::vector<T> v(4, T(1));
  T local = 2, other = 3;
  EXPECT_EQ(counts_of([&] { local = v[0]; }), memory(1, 0));
  EXPECT_EQ(counts_of([&] { v[0] = local; }), memory(0, 1));
  EXPECT_EQ(counts_of([&] { v[0] = v[1]; }), memory(1, 1));
  EXPECT_EQ(counts_of([&] { local = other; }), Counts{});
  EXPECT_EQ(counts_of([&] { v[0] += local; }), memory(1, 1) + only(&Counts::add));
  EXPECT_EQ(counts_of([&] { v[0] *= v[1]; }), memory(2, 1) + only(&Counts::mul));
  EXPECT_EQ(counts_of([&] { v[0]++; }), memory(1, 1) + only(&Counts::add));
  EXPECT_EQ(counts_of([&] { ++v[0]; }), memory(1, 1) + only(&Counts::add));
  EXPECT_EQ(counts_of([&] { local = v[0] * v[0]; }), memory(2, 0) + only(&Counts::mul));
  EXPECT_EQ(counts_of([&] { local = -v[0]; }), memory(1, 0));
  EXPECT_EQ(counts_of([&] { local = std::sqrt(v[0]); }), memory(1, 0) + only(&Counts::sqrt));
  EXPECT_EQ(counts_of([&] { local = std::min(v[0], v[1]); }), memory(2, 0));
  bool less = false;
  EXPECT_EQ(counts_of([&] { less = v[0] < local; }), memory(1, 0));
  EXPECT_EQ(counts_of([&] { v[0] = v[1] = v[2] = T(0); }), memory(0, 3));
  EXPECT_EQ(counts_of([&] { local = v[0] > T(1) ? v[0] : v[1]; }), memory(2, 0));
  (void)less;
}

TEST(CountingNumber, ReferencesAreFreeCopiesAreNot) {
  struct Body {
    T mass, x, y, z;
  };
  std::vector<Body> bodies(2);
  EXPECT_EQ(counts_of([&] {
              const auto& body = bodies[1];
              const T x = body.x;
              (void)x;
            }),
            memory(1, 0));
  EXPECT_EQ(counts_of([&] {
              const Body body = bodies[1];
              (void)body;
            }),
            memory(4, 0));
  EXPECT_EQ(counts_of([&] { bodies[0] = bodies[1]; }), memory(4, 4));
  EXPECT_EQ(counts_of([&] {
              T* __restrict x = &bodies[0].x;
              *x = 1;
            }),
            memory(0, 1));
}

TEST(CountingNumber, ArraysOfAllKinds) {
  EXPECT_EQ(counts_of([] { const std::vector<T> zeros(5); }), memory(0, 5));
  EXPECT_EQ(counts_of([] { const std::vector<T> ones(5, T(1)); }), memory(0, 5));
  EXPECT_EQ(counts_of([] { const auto array = std::make_unique<T[]>(5); }), memory(0, 5));
  struct alignas(64) Line {
    T x;
  };
  EXPECT_EQ(counts_of([] { const std::vector<Line> lines(5); }), memory(0, 5));
  std::vector<T> v(5, T(1));
  EXPECT_EQ(counts_of([&] { std::fill(v.begin(), v.end(), T(0)); }), memory(0, 5));
  EXPECT_EQ(counts_of([&] { std::accumulate(v.begin(), v.end(), T(0)); }),
            memory(5, 0) + only(&Counts::add, 5));
  EXPECT_EQ(counts_of([] {
              T tile[8];
              tile[3] = tile[2] + 1;
            }),
            only(&Counts::add));
}

TEST(CountingNumber, TheWayOutIsCounted) {
  const T x = 2.5;
  double value = 0;
  EXPECT_EQ(counts_of([&] { value = as_double(x); }), only(&Counts::escapes));
  EXPECT_EQ(value, 2.5);
}

TEST(CountingNumber, ItsBytesAreNoPlainNumber) {
  const T x = 2.5;
  double as_bytes = 0;
  static_assert(sizeof as_bytes == sizeof x);
  std::memcpy(&as_bytes, &x, sizeof x);
  EXPECT_FALSE(std::abs(as_bytes - 2.5) < 1);
  T zeros = 1;
  std::memset(static_cast<void*>(&zeros), 0, sizeof zeros);
  EXPECT_TRUE(std::isnan(zeros));
}

}  // namespace
}  // namespace nbody::work
