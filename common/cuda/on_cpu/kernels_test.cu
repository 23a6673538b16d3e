// Kernels on the CPU. as_cpp.py makes C++ of it first.
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "cuda/device_array.cuh"
#include "cuda/on_cpu/sanitizers.hpp"
#include "cuda/smallest.cuh"

namespace nbody {
namespace {

template <typename T>
std::vector<T> on_host(const DeviceArray<T>& array) {
  std::vector<T> values;
  array.copy_to(values);
  return values;
}

__global__ void write_indices(unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = 1000 * block + thread;
}

TEST(KernelOnCpu, EveryIndexOfThreeDimensionsOnce) {
  DeviceArray<unsigned> out(24 * 60);
  write_indices<<<dim3(2, 3, 4), dim3(5, 4, 3)>>>(out.data());
  const auto found = on_host(out);
  for (unsigned k = 0; k < 24 * 60; ++k) EXPECT_EQ(found[k], 1000 * (k / 60) + k % 60);
}

template <int n>
__global__ void sum_of_shared(int* out, int x) {
  __shared__ __align__(16) int tile[2][n > 2 ? n : 3], other[max(n, 1'024)];  // a block's
  tile[1][n - 1] = x;
  other[n] = n;
  *out += tile[1][n - 1] + other[n];
}
struct Launching {
  decltype(&sum_of_shared<3>) kernel = sum_of_shared<3>;
  // Two in a line, over lines, of an expression, of a member, and none: go<<<1, 2>>>(a).
  std::string launch(int* out, bool larger) {
    cudaStream_t stream = nullptr;
    // clang-format off
    this->kernel<<<1, 1>>>(out, 10); nbody::sum_of_shared<(4 > 3 ? 4 : 5)><<<dim3(1, 1), 1, 0, stream>>>(out, 20);
    (larger ? sum_of_shared<6> : sum_of_shared<5>)<<<4 >> 2, 1>>>(
        out, 30);
    // clang-format on
    return "go<<<1, 2>>>(a)";
  }
};

TEST(KernelOnCpu, LaunchesAndSharedArraysAreReadAsPeopleWriteThem) {
  DeviceArray<int> out(std::vector<int>{0});
  EXPECT_EQ(Launching().launch(out.data(), true), std::string("go<<<1, 2>>>") + "(a)");
  EXPECT_EQ(out.front(), 10 + 3 + 20 + 4 + 30 + 6);
}

template <bool with_barrier>
__global__ void rotate(const int* in, int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  if (with_barrier) __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

TEST(KernelOnCpu, ABarrierIsWaitedForAndShowsInEveryLaunchWhereItIsMissing) {
  std::vector<int> numbers(1024);
  std::iota(numbers.begin(), numbers.end(), 0);
  const DeviceArray<int> in(numbers);
  DeviceArray<int> out(1024);
  std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
  for (int repeat = 0; repeat < 10; ++repeat) {
    rotate<true><<<1, 1024, 1024 * sizeof(int)>>>(in.data(), out.data());
    ASSERT_EQ(on_host(out), numbers);
    rotate<false><<<1, 1024, 1024 * sizeof(int)>>>(in.data(), out.data());
    EXPECT_NE(on_host(out), numbers);
  }
}

__global__ void read_unwritten(float* out) {
  __shared__ float tile[8][2], other[2];
  out[threadIdx.x] = tile[threadIdx.x][1] + other[0];
  tile[threadIdx.x][1] = other[0] = 1;
}

TEST(KernelOnCpu, WhatNobodyWroteIsNotANumberInEveryBlock) {
  const DeviceArray<float> fresh(3);
  for (const float x : on_host(fresh)) EXPECT_TRUE(std::isnan(x));
  DeviceArray<float> out(1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    read_unwritten<<<1, 1>>>(out.data());
    EXPECT_TRUE(std::isnan(on_host(out)[0]));
  }
}

__global__ void shuffle(int* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int* const own = out + 9 * threadIdx.x;
  own[0] = __shfl_sync(0xffffffff, lane, lane + 1);
  own[1] = __shfl_down_sync(0xffffffff, lane, 4);
  own[2] = __shfl_up_sync(0xffffffff, lane, 4);
  own[3] = __shfl_xor_sync(0xffffffff, lane, 8, 8);
  own[4] = __shfl_sync(0xffffffff, lane, 1, 8);
  own[5] = __any_sync(0xffffffff, lane == 5) + 2 * __all_sync(0xffffffff, lane == 5);
  const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  own[6] = static_cast<int>(__ballot_sync(half, lane % 16 == 3));
  double sum = lane;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
  own[7] = static_cast<int>(sum);
  own[8] = __shfl_sync(half, lane, lane ^ 16);  // unwritten
}

TEST(KernelOnCpu, LanesOfAWarpShowEachOtherTheirNumbers) {
  DeviceArray<int> out(9 * 64);
  shuffle<<<1, 64>>>(out.data());
  const auto found = on_host(out);
  for (int k = 0; k < 64; ++k) {
    const int lane = k % 32;
    const std::vector<int> own(found.begin() + 9 * k, found.begin() + 9 * k + 9);
    EXPECT_EQ(own, (std::vector<int>{(lane + 1) % 32, lane < 28 ? lane + 4 : lane,
                                     lane < 4 ? lane : lane - 4, lane & ~8, lane / 8 * 8 + 1, 1,
                                     lane < 16 ? 1 << 3 : 1 << 19, 31 * 16, -1}));
  }
}

__global__ void some_return(int* out, unsigned n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  *out = 1;
}
__global__ void two_barriers(unsigned n) {
  if (threadIdx.x < n) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}
__global__ void half_a_warp(int* out) {
  if (threadIdx.x < 16) *out = __shfl_sync(0xffffffff, 1, 0);
  __syncthreads();
}
__global__ void throw_one() {
  if (threadIdx.x == 3) throw std::runtime_error("three");
}
__global__ void read_at(const float* in, std::size_t place, float* out) { *out = in[place]; }
__global__ void read_shared_at(std::size_t place, float* out) {
  __shared__ float tile[64];
  tile[0] = 0;
  *out = tile[place];
}

// After each mistake the next launch is a new beginning. `said`: what the message must hold, empty:
// there is none.
TEST(KernelOnCpu, AMistakeIsToldWithItsPlace) {
  const DeviceArray<float> in(1000);
  std::vector<float> of_host(10);
  DeviceArray<float> out(1);
  DeviceArray<int> number(1);
  const auto starts = [](unsigned threads) {
    return [threads] { timed("throw_one", [&] { throw_one<<<1, threads>>>(); }); };
  };
  const auto reads = [&](std::size_t place) {
    return [&, place] { read_at<<<1, 1>>>(in.data(), place, out.data()); };
  };
  const auto fails = [](cudaError_t status) { return [status] { cuda_check(status); }; };
  struct Row {
    std::function<void()> launch;
    std::vector<std::string> said;
  };
  std::vector<Row> rows = {
      {[&] { some_return<<<2, 64>>>(number.data(), 64); }, {}},
      {[&] { some_return<<<2, 64>>>(number.data(), 40); },
       {"on_cpu/kernels_test.cu:", "__syncthreads() in some_return",
        "40 of 64 threads wait here, and 24 have returned"}},
      {[] { two_barriers<<<1, 64>>>(64); }, {}},
      {[] { two_barriers<<<1, 64>>>(10); }, {"10 of 64", "others wait at"}},
      {[&] { half_a_warp<<<1, 32>>>(number.data()); },
       {"kernels_test.cu:", "a function of the warp",
        "16 of 32 threads wait here, and others wait at"}},
      {[] { throw_one<<<1, 32>>>(); }, {"three"}},
      {[&] { read_at<<<1, 1>>>(of_host.data(), 0, out.data()); },
       {"read_at gets a pointer to host memory"}},
      {[&] { DeviceArray<double>{std::size_t{1} << 58}; },
       {"kernels_test.cu:", "fewer bodies (-n)"}},
      {starts(0), {"kernels_test.cu:", "another --block"}},
      {starts(1025), {"another --block"}},
      {[&] { cudaMemset(of_host.data(), 0, 1), starts(1)(); }, {"an earlier call failed"}},
      {fails(cudaErrorNoDevice), {"kernels_test.cu:", "no NVIDIA GPU answers here"}},
      {fails(cudaErrorInvalidValue), {"cudaErrorInvalidValue"}},  // all others by CUDA's own words
  };
  if (!on_cpu::addresses_are_watched()) {  // else the sanitizer ends the program
    rows.push_back({[&] { some_return<<<1, 1>>>(number.data() + 1, 64); },
                    {"wrong index in some_return", "byte 4 of an array of 4 bytes"}});
    rows.push_back(
        {reads(1000), {"wrong index in read_at", "byte 4000 of an array of 4000 bytes"}});
    rows.push_back({reads(1'000'000'000'000), {"no array of the GPU is"}});
    rows.push_back(
        {[&] { read_shared_at<<<1, 1>>>(64, out.data()); },
         {"wrong index in read_shared_at", "byte 256 of an array of 256 bytes in shared memory"}});
  }
  rows.push_back({reads(999), {}});
  for (const auto& [launch, said] : rows) {
    std::string all;
    try {
      launch();
    } catch (const std::exception& error) {
      all = error.what();
    }
    EXPECT_EQ(all.empty(), said.empty()) << all;
    for (const std::string& part : said) EXPECT_NE(all.find(part), std::string::npos) << all;
  }
  float *const host = of_host.data(), *const device = out.data();
  for (const cudaError_t status :
       {cudaMemcpy(host, device, 4, cudaMemcpyHostToDevice), cudaMemset(device, 0, 5),
        cudaMemcpy(device, host, 5, cudaMemcpyHostToDevice),
        cudaMemcpy(host, device + 1, 1, cudaMemcpyDeviceToHost)}) {
    EXPECT_EQ(status, cudaErrorInvalidValue);
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

// The nearest one, in the middle the even one.
TEST(KernelOnCpu, HalvesAreRounded) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(__half2float({0x0001}), 0x1p-24f);
  EXPECT_EQ(__half2float({0x3c01}), 1 + 0x1p-10f);
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const float x = __half2float({bits}), middle = (x + __half2float({next})) / 2;
    ASSERT_EQ(__float2half_rn(x).bits, bits);
    ASSERT_EQ(__float2half_rn(-x).bits, bits | 0x8000);
    ASSERT_EQ(__float2half_rn(middle).bits, bits % 2 == 0 ? bits : next);
    ASSERT_EQ(__float2half_rn(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(__float2half_rn(std::nextafter(middle, infinity)).bits, next);
  }
  EXPECT_EQ(__float2half_rn(65519).bits, 0x7bff);
  EXPECT_EQ(__float2half_rn(-65520).bits, 0xfc00);
  EXPECT_EQ(__half2float({0xfc00}), -infinity);
  EXPECT_TRUE(std::isnan(__half2float(__float2half_rn(std::nanf("")))));
}

TEST(KernelOnCpu, AProfileHasARowForEachName) {
  start_profile();
  const DeviceArray<float> in(std::vector<float>{1});
  DeviceArray<float> out(1);
  for (int k = 0; k < 3; ++k) {
    timed("a kernel", [&] { read_at<<<1, 1>>>(in.data(), 0, out.data()); });
  }
  const std::string text = profile_so_far(0.5);
  std::string words;
  for (const char c : text) {
    if (c != ' ' || words.empty() || words.back() != ' ') words += c;
  }
  for (const char* row : {" a kernel 3 0.000 0.00 % 0.00 0.00 0.00\n", " cudaMalloc 2 ",
                          " copy to GPU 1 ", " wall clock 500.000 100.00 %\n"}) {
    EXPECT_NE(words.find(row), std::string::npos) << row << "\n" << text;
  }
}

TEST(KernelOnCpu, SmallestOfTheLab) {
  for (const std::size_t n : {1, 31, 257, 1000, 4096, 4097, 20001}) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(2 + (i * 7919) % n);
    for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<double> one = values;
      one[place] = 1;
      EXPECT_EQ(smallest(DeviceArray<double>(one)), 1) << n << " " << place;
    }
  }
}

}  // namespace
}  // namespace nbody
