#include "simulator/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace nbody {
namespace {

template <typename T>
bool starts_a_line(const AlignedVector<T>& v) {
  return reinterpret_cast<std::uintptr_t>(v.data()) % 64 == 0;
}

template <typename T>
void expect_aligned_at_every_size() {
  std::vector<AlignedVector<T>> all;
  AlignedVector<T> growing;
  for (std::size_t n = 1; n < 200; ++n) {
    all.emplace_back(n, T(n));
    growing.push_back(T(n));
    ASSERT_TRUE(starts_a_line(all.back()) && starts_a_line(growing)) << n;
    ASSERT_EQ(all.back().back(), T(n));
  }
  EXPECT_EQ(growing[100], T(101));
}

TEST(AlignedVector, StartsOnACacheLine) {
  expect_aligned_at_every_size<float>();
  expect_aligned_at_every_size<double>();
  expect_aligned_at_every_size<char>();
}

TEST(AlignedVector, IsCopiedAndMoved) {
  const AlignedVector<float> a(5, 3.0F);
  AlignedVector<float> b = a;
  b[0] = 1;
  EXPECT_EQ(a[0], 3);
  EXPECT_TRUE(starts_a_line(b));
  const float* memory = b.data();
  const AlignedVector<float> c = std::move(b);
  EXPECT_EQ(c.data(), memory);
}

TEST(AlignedVector, WhatTurnsIntoAnOverflowIsRefused) {
  AlignedVector<double> v;
  EXPECT_THROW(v.resize(SIZE_MAX / 4), std::length_error);
}

}  // namespace
}  // namespace nbody
