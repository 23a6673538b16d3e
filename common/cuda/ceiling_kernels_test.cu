// Needs a GPU: status 77 without one. Do the kernels do what is counted? How fast is not tested.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda/arithmetic_kernels.cuh"
#include "cuda/device.cuh"
#include "cuda/device_array.cuh"
#include "cuda/gpu_ceilings.cuh"
#include "cuda/memory_kernels.cuh"

namespace nbody {
namespace {

constexpr unsigned blocks = 3;

template <typename T>
std::vector<T> results_of(const std::function<void(T*)>& launch) {
  DeviceArray<T> results(std::vector<T>(blocks * ceiling_block, T(-1)));
  launch(results.data());
  check_launch();
  std::vector<T> on_host;
  results.copy_to(on_host);
  return on_host;
}

// What an operation makes of a value, computed here.
template <typename T>
using Next = T (*)(T value, T x, T y);

// What a lane of repeat_operation writes after so many of them.
template <typename T>
T repeated(unsigned lane, unsigned times, T first_x, T first_y, Next<T> next) {
  const T x = std::fma(T(lane), T(between_lanes), first_x);
  const T y = std::fma(T(lane), T(between_lanes), first_y);
  T sum = 0;
  for (int k = 0; k < chains; ++k) {
    T value = std::fma(T(k), y, x);
    for (unsigned time = 0; time < times; ++time) value = next(value, x, y);
    sum += value;
  }
  return sum;
}

template <typename Operation, typename T>
void expect_repeated(T x, T y, T tolerance, Next<T> next) {
  for (const unsigned turns : {0u, 1u, 5u}) {
    const auto all = results_of<T>([&](T* results) {
      repeat_operation<Operation, T><<<blocks, ceiling_block>>>(turns, x, y, results);
    });
    for (unsigned thread = 0; thread < all.size(); ++thread) {
      const T expected = repeated(thread % lanes, turns * Operation::in_a_row, x, y, next);
      ASSERT_NEAR(all[thread], expected, tolerance * std::abs(expected)) << turns << " " << thread;
    }
  }
}

TEST(Kernels, OperationsAreRepeatedAsOftenAsTheyAreCounted) {
  // Of what grows by y each time, one too few would show.
  expect_repeated<operation::Fma, float>(
      1, 2, 0, [](float v, float x, float y) { return std::fma(v, x, y); });
  expect_repeated<operation::Fma, double>(
      1, 3, 0, [](double v, double x, double y) { return std::fma(v, x, y); });
  expect_repeated<operation::Div, float>(1.5f, 0.75f, 1e-6f,
                                         [](float v, float x, float) { return x / v; });
  expect_repeated<operation::Sqrt, double>(9e9, 1e9, 1e-14,
                                           [](double v, double, double) { return std::sqrt(v); });
  expect_repeated<operation::RsqrtEstimate, float>(
      4, 3, 1e-5f, [](float v, float, float) { return 1 / std::sqrt(v); });
}

// Number i of the array is (chunk + 1, 1, i, 0).
std::vector<float4> numbered_chunks(unsigned chunks) {
  std::vector<float4> array(std::size_t{chunks} * chunk_size);
  for (std::size_t i = 0; i < array.size(); ++i) {
    array[i] = {static_cast<float>(i / chunk_size + 1), 1, static_cast<float>(i), 0};
  }
  return array;
}

// More chunks than blocks, as many, a divisor of them, fewer.
TEST(Kernels, LoadsGoThroughAllChunksInTurn) {
  for (const unsigned chunks : {7u, 3u, 2u, 1u}) {
    const DeviceArray<float4> array(numbered_chunks(chunks));
    const auto all = results_of<float>([&](float* results) {
      load_chunks<<<blocks, ceiling_block>>>(array.data(), chunks, 5, results);
    });
    for (std::size_t thread = 0; thread < all.size(); ++thread) {
      float expected = 0;
      for (std::size_t turn = 0; turn < 5; ++turn) {
        expected += loads_at_once *
                    static_cast<float>((thread / ceiling_block + turn * blocks) % chunks + 1);
      }
      ASSERT_EQ(all[thread], expected) << chunks << " chunks, thread " << thread;
    }
  }
}

TEST(Kernels, CopyAndTriadWriteEveryNumber) {
  const unsigned chunks = 7, turns = 3;
  const auto numbers = numbered_chunks(chunks);
  const DeviceArray<float4> from(numbers);
  for (const float factor : {1.0f, 3.0f}) {
    DeviceArray<float4> to(std::vector<float4>(numbers.size()));
    if (factor == 1) {
      copy_chunks<<<blocks, ceiling_block>>>(from.data(), to.data(), chunks, turns);
    } else {
      triad_chunks<<<blocks, ceiling_block>>>(from.data(), from.data(), factor - 1, to.data(),
                                              chunks, turns);
    }
    check_launch();
    std::vector<float4> written;
    to.copy_to(written);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(written[i].x, factor * numbers[i].x) << i;
      ASSERT_EQ(written[i].y, factor * numbers[i].y) << i;
      ASSERT_EQ(written[i].z, factor * numbers[i].z) << i;
      ASSERT_EQ(written[i].w, factor * numbers[i].w) << i;
    }
  }
}

TEST(Kernels, SharedMemoryIsReadAsOftenAsItIsCounted) {
  const unsigned turns = 40;
  const auto words = results_of<float>(
      [&](float* results) { load_shared_words<<<blocks, ceiling_block>>>(turns, lanes, results); });
  const auto broadcast = results_of<float>([&](float* results) {
    load_shared_broadcast<<<blocks, ceiling_block>>>(turns, shared_loads_of_a_turn, results);
  });
  for (std::size_t thread = 0; thread < words.size(); ++thread) {
    float of_words = 0, of_bodies = 0;
    for (unsigned turn = 0; turn < turns; ++turn) {
      for (unsigned k = 0; k < shared_loads_of_a_turn; ++k) {
        const float word = (thread % lanes + turn * lanes) % word_places + k * lanes + 1.0f;
        if (k % 2 == 0) of_words = std::fma(word, word + lanes, of_words);
        const float first = turn * shared_loads_of_a_turn % body_places + k + 1.0f;
        of_bodies = std::fma(first, first + 1, std::fma(first + 2, first + 3, of_bodies));
      }
    }
    ASSERT_EQ(words[thread], of_words) << thread;
    ASSERT_EQ(broadcast[thread], of_bodies) << thread;
  }
}

// More would be work that was counted and not done. The peaks are those of the clock of a GPU for
// computing centres: others have fewer units.
TEST(GpuCeilings, AllAreMeasuredAndNoneIsAboveThePeakByTheClock) {
  const DeviceFacts device = devices().front();
  const double cycles = device.multiprocessors * device.clock_hz;
  const double memory = 2 * device.memory_clock_hz * device.memory_bus_bits / 8;
  int found = 0;
  measure_gpu_ceilings(device, {0.01, 0.002, 3}, [&](const GpuRates& row) {
    ++found;
    for (const double rate : row.rates) {
      EXPECT_GT(rate, 0) << row.name;
      if (row.level == "device memory") EXPECT_LT(rate, 1.02 * memory) << row.name;
      if (row.kind == "flops") {
        EXPECT_LT(rate, 1.02 * 2 * cycles * (row.precision == "float" ? 128 : 64)) << row.name;
      }
    }
  });
  EXPECT_EQ(found, 17);
}

}  // namespace
}  // namespace nbody
