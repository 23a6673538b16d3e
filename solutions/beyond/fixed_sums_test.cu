// Sums of whole numbers, on the CPU: as_cpp.py turns this file into C++ first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fixed_sums.cuh"

namespace nbody {
namespace {

__global__ void add_all(FixedSums sums, const float3* pulls, std::size_t count) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) sums.add(0, pulls[k]);
}
__global__ void read_all(FixedSums sums, float* totals) {
  totals[threadIdx.x] = sums.total(0, threadIdx.x);
}

// The sums of x, y and z.
std::vector<float> sum_of(const std::vector<float3>& pulls) {
  constexpr std::size_t places = 2;
  DeviceArray<unsigned long long> numbers(FixedSums::arrays * places);
  numbers.copy_from(std::vector<unsigned long long>(numbers.size(), 0));
  const DeviceArray<float3> on_device(pulls);
  DeviceArray<float> totals(3);
  const FixedSums sums{numbers.data(), places};
  const auto blocks = static_cast<unsigned>(pulls.size() / 64 + 1);
  add_all<<<blocks, 64>>>(sums, on_device.data(), pulls.size());
  read_all<<<1, 3>>>(sums, totals.data());
  std::vector<float> found;
  totals.copy_to(found);
  return found;
}

TEST(FixedSums, OnePullOfAnySizeComesBack) {
  for (int exponent = -126; exponent <= 127; ++exponent) {
    for (const float digits : {1.0f, 1.9999999f, -1.2345678f}) {
      const float x = std::ldexp(digits, exponent);
      // Its length must fit into a float, too.
      if (std::fabs(x) > 1e38f) continue;
      const std::vector<float> found = sum_of({{x, 0, -x / 2}});
      const double most = std::ldexp(std::fabs(x), -23);
      EXPECT_NEAR(found[0], x, most) << exponent;
      EXPECT_EQ(found[1], 0.0f);
      EXPECT_NEAR(found[2], -x / 2, most) << exponent;
    }
  }
}

TEST(FixedSums, SmallOnesAreNotLostBesideALargeOne) {
  std::vector<float3> pulls{{1e20f, 1e10f, 0}};
  for (int k = 0; k < 5000; ++k) pulls.push_back({1e-10f, 2e-10f, 5e-11f});
  pulls.push_back({-1e20f, -1e10f, 0});
  const std::vector<float> found = sum_of(pulls);
  EXPECT_NEAR(found[0], 5e-7, 5e-13);
  EXPECT_NEAR(found[1], 1e-6, 1e-12);
  EXPECT_NEAR(found[2], 2.5e-7, 5e-13);
}

TEST(FixedSums, TheOrderMakesNoDifference) {
  std::vector<float3> pulls;
  for (int k = 0; k < 3000; ++k) {
    const float x = std::ldexp(std::sin(static_cast<float>(k)), k % 60 - 30);
    pulls.push_back({x, -x, 1 / (x + 2)});
  }
  const std::vector<float> forwards = sum_of(pulls);
  std::reverse(pulls.begin(), pulls.end());
  EXPECT_EQ(forwards, sum_of(pulls));
}

TEST(FixedSums, WhatIsNoNumberStaysNone) {
  for (const float x :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const float found : sum_of({{1, 1, 1}, {0, x, 0}, {1, 1, 1}})) {
      EXPECT_TRUE(std::isnan(found));
    }
  }
}

}  // namespace
}  // namespace nbody
