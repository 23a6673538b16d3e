// Parts of matrix.cuh, on the CPU: as_cpp.py turns this file into C++ first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "../matrix.cuh"

namespace nbody {
namespace {

__global__ void add_all(FixedSums sums, const float3* forces, std::size_t count) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) sums.add(0, forces[k]);
}
__global__ void read_all(FixedSums sums, float* totals) {
  totals[threadIdx.x] = sums.total(0, threadIdx.x);
}

// The sums of x, y and z.
std::vector<float> sum_of(const std::vector<float3>& forces) {
  constexpr std::size_t places = 2;
  DeviceArray<unsigned long long> numbers(FixedSums::arrays * places);
  numbers.copy_from(std::vector<unsigned long long>(numbers.size(), 0));
  const DeviceArray<float3> on_device(forces);
  DeviceArray<float> totals(3);
  const FixedSums sums{numbers.data(), places};
  const auto blocks = static_cast<unsigned>(forces.size() / 64 + 1);
  add_all<<<blocks, 64>>>(sums, on_device.data(), forces.size());
  read_all<<<1, 3>>>(sums, totals.data());
  std::vector<float> found;
  totals.copy_to(found);
  return found;
}

struct Row {
  std::vector<float3> forces;
  std::array<double, 3> sum;
  double within;
};

std::vector<Row> rows() {
  // The largest number of a tier, as often as matrix promises.
  const float largest = std::ldexp(1.9999999f, 139 - 127);
  const std::size_t most = (std::size_t{1} << 19) - 1;
  const double all = static_cast<double>(most) * largest;
  std::vector<Row> rows = {
      {std::vector<float3>(most, {largest, -largest / 2, 0}), {all, -all / 2, 0}, 1e-6 * all}};
  std::vector<float3> small(5002, {1e-10f, 2e-10f, 5e-11f});  // beside a large one
  small.front() = {1e20f, 1e10f, 0};
  small.back() = {-1e20f, -1e10f, 0};
  rows.push_back({small, {5e-7, 1e-6, 2.5e-7}, 5e-13});
  for (int exponent = -126; exponent <= 126; ++exponent) {  // its length must fit, too
    for (const float digits : {1.0f, 1.9999999f, -1.2345678f}) {
      const float x = std::ldexp(digits, exponent);
      if (std::fabs(x) > 1e38f) continue;
      rows.push_back({{{x, 0, -x / 2}}, {x, 0, -x / 2}, std::ldexp(std::fabs(x), -23)});
    }
  }
  return rows;
}

TEST(FixedSums, LoseNothing) {
  for (const Row& row : rows()) {
    const std::vector<float> found = sum_of(row.forces);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], row.sum[k], row.within);
  }
}

TEST(FixedSums, TheOrderMakesNoDifference) {
  std::vector<float3> forces;
  for (int k = 0; k < 3000; ++k) {
    const float x = std::ldexp(std::sin(static_cast<float>(k)), k % 60 - 30);
    forces.push_back({x, -x, 1 / (x + 2)});
  }
  const std::vector<float> forwards = sum_of(forces);
  std::reverse(forces.begin(), forces.end());
  EXPECT_EQ(forwards, sum_of(forces));
}

TEST(FixedSums, WhatIsNoNumberStaysNone) {
  for (const float x :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const float found : sum_of({{1, 1, 1}, {0, x, 0}, {1, 1, 1}})) {
      EXPECT_TRUE(std::isnan(found));
    }
  }
}

TEST(Hilbert, NeighboursOnTheCurveAreNeighboursInSpace) {
  constexpr int bits = 3, cells = 1 << bits;
  std::map<std::uint64_t, std::array<int, 3>> at;
  for (int x = 0; x < cells; ++x) {
    for (int y = 0; y < cells; ++y) {
      for (int z = 0; z < cells; ++z) {
        at[hilbert_key(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                       static_cast<std::uint32_t>(z), bits)] = {x, y, z};
      }
    }
  }
  ASSERT_EQ(at.size(), static_cast<std::size_t>(cells * cells * cells));
  for (auto next = std::next(at.begin()); next != at.end(); ++next) {
    const auto& [key, to] = *next;
    const auto& [before, from] = *std::prev(next);
    EXPECT_EQ(key, before + 1);
    int steps = 0;
    for (std::size_t k = 0; k < 3; ++k) steps += std::abs(to[k] - from[k]);
    EXPECT_EQ(steps, 1) << key;
  }
}

}  // namespace
}  // namespace nbody
