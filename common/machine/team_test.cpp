#include "machine/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "machine/facts.hpp"
#include "machine/streams.hpp"

namespace nbody::machine {
namespace {

const Budget quick{0.01, 0.05};

TEST(RateOf, CountsWhatAllThreadsDoInTheirCommonWindow) {
  const Work nap = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 5.0;
  };
  const std::vector<int> cpus(3, one_cpu_of_each_core().front());
  std::atomic<std::size_t> made{0}, numbers{0};
  const auto work_of = [&](std::size_t k) {
    ++made;
    numbers += k;
    return nap;
  };
  const Rate rate = rate_of(cpus, work_of, quick);
  EXPECT_EQ(made, 3u);
  EXPECT_EQ(numbers, 0u + 1 + 2);
  // Three threads of 5 a millisecond at most, however busy the machine is.
  EXPECT_LE(rate.best, 3 * 5000.0);
  EXPECT_GT(rate.best, 0);
  EXPECT_LE(rate.median, rate.best);
  EXPECT_GE(rate.spread, 0);
}

TEST(RateOf, IsSlowerWhereOneThreadIsLate) {
  const auto work_of = [](std::size_t k) -> Work {
    return [k, calls = 0]() mutable {
      // Late only once it has been seen how much fits into a window.
      const int wait = k == 1 && ++calls > 10 ? 30 : 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      return 1.0;
    };
  };
  const int cpu = one_cpu_of_each_core().front();
  EXPECT_LT(rate_of({cpu, cpu}, work_of, quick).best, 1000.0);
}

struct Seen {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
  int times = 0;
  const char* first = nullptr;
} seen;
void remember(char* const* arrays, std::size_t bytes, int times) {
  if (seen.first == nullptr) seen.first = arrays[0];
  seen.offsets.push_back(static_cast<std::size_t>(arrays[0] - seen.first));
  seen.bytes = bytes;
  seen.times = times;
}

TEST(Streams, GoThroughLargeArraysPieceByPiece) {
  seen = {};
  const Traffic traffic{"copy", "", 2, remember};
  Streams streams(traffic, (6u << 20) + 5);
  EXPECT_EQ(streams.bytes(), 6u << 20);
  Work work = streams.work();
  for (int call = 0; call < 4; ++call) EXPECT_EQ(work(), 2.0 * (1 << 20));
  const std::vector<std::size_t> expected = {0, 1u << 20, 2u << 20, 0};
  EXPECT_EQ(seen.offsets, expected);
  EXPECT_EQ(seen.times, 1);
}

TEST(Streams, GoThroughSmallArraysManyTimes) {
  seen = {};
  const Traffic traffic{"load", "", 1, remember};
  Streams streams(traffic, 16u << 10);
  EXPECT_EQ(streams.work()(), 256.0 * 1024);
  EXPECT_EQ(seen.bytes, 16u << 10);
  EXPECT_EQ(seen.times, 16);
}

TEST(Streams, HaveWholeBlocks) {
  const Traffic traffic{"triad", "", 3, remember};
  EXPECT_EQ(Streams(traffic, 24u << 10).bytes(), 24u << 10);
  EXPECT_EQ(Streams(traffic, 16u << 10).bytes(), 15u << 10);
  EXPECT_EQ(Streams(traffic, 1).bytes(), 3u << 10);
}

}  // namespace
}  // namespace nbody::machine
