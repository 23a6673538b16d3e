#include <cstddef>
#include <cstdio>
#include <vector>
#include <xsimd/xsimd.hpp>

#include "simulator/aligned.hpp"

// What docs/using_the_lab.md shows of xsimd, as a program that checks itself: status 1 if a line of
// it is wrong.

using Batch = xsimd::batch<float>;
constexpr std::size_t lanes = Batch::size;

bool all_right = true;

void expect(const char* what, double got, double wanted, double tolerance = 0) {
  const bool right = got >= wanted - tolerance && got <= wanted + tolerance;
  std::printf("%-22s %s\n", what, right ? "right" : "WRONG");
  all_right = all_right && right;
}

// y[j] += a x[j], in arrays that are whole batches long.
void add_multiple(float a, const nbody::AlignedVector<float>& x, nbody::AlignedVector<float>& y) {
  const Batch factor(a);  // broadcast: a in every lane
  for (std::size_t j = 0; j < x.size(); j += lanes) {
    const Batch xj = Batch::load_aligned(&x[j]);
    const Batch yj = Batch::load_aligned(&y[j]);
    xsimd::fma(factor, xj, yj).store_aligned(&y[j]);
  }
}

// Partial sums in the lanes, added up once after the loop.
float sum_of(const nbody::AlignedVector<float>& x) {
  Batch sum(0.0f);
  for (std::size_t j = 0; j < x.size(); j += lanes) sum += Batch::load_aligned(&x[j]);
  return xsimd::reduce_add(sum);
}

// 1/x where x > 0, and 0 elsewhere: 1/0 is computed, and not taken.
Batch inverse_or_zero(const Batch& x) {
  const Batch zero(0.0f);
  return xsimd::select(x > zero, Batch(1.0f) / x, zero);
}

// 1/sqrt(x): an estimate, and one Newton step.
Batch inverse_root(const Batch& x) {
  const Batch y = xsimd::rsqrt(x);
  const Batch h = xsimd::fnma(x * y, y, Batch(1.0f));  // 1 - x y y
  return xsimd::fma(y * Batch(0.5f), h, y);            // y (1 + h / 2)
}

std::size_t padded(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }

int main() {
  constexpr std::size_t n = 21;
  nbody::AlignedVector<float> x(padded(n), 0.0f), y(padded(n), 0.0f);
  for (std::size_t j = 0; j < n; ++j) {
    x[j] = static_cast<float>(j);
    y[j] = 1;
  }
  add_multiple(2, x, y);
  expect("fma, load, store", y[20], 41);
  expect("sum with a tail", sum_of(y), 2 * 210 + 21);

  const std::vector<float> anywhere(2 * lanes + 1, 3.0f);
  const Batch shifted = Batch::load_unaligned(&anywhere[1]);
  expect("unaligned load", xsimd::reduce_add(shifted), 3.0 * lanes);

  expect("select", xsimd::reduce_add(inverse_or_zero(Batch(0.0f))), 0);
  expect("select, other side", inverse_or_zero(Batch(4.0f)).get(0), 0.25);
  expect("min, max", xsimd::reduce_min(xsimd::max(Batch(1.0f), Batch(2.0f))), 2);
  expect("sqrt", xsimd::sqrt(Batch(9.0f)).get(0), 3);
  expect("fnma is c - a b", xsimd::fnma(Batch(2.0f), Batch(3.0f), Batch(10.0f)).get(0), 4);
  expect("rsqrt, about", xsimd::rsqrt(Batch(3.0f)).get(0), 0.5773503, 3e-3);
  expect("rsqrt and Newton", inverse_root(Batch(3.0f)).get(0), 0.5773503, 1e-5);
  return all_right ? 0 : 1;
}
