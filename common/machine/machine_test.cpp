// What a processor can do is measured.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "machine/clock.hpp"
#include "machine/kernel.hpp"
#include "machine/rates.hpp"

namespace nbody::machine {
namespace {

class Values : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) of[run.aggregate_name] = run.counters.at("value").value;
  }
  std::map<std::string, double> of;  // the median, ...
};

std::map<std::string, double> measured() {
  Values values;
  benchmark::RunSpecifiedBenchmarks(&values);
  benchmark::ClearRegisteredBenchmarks();
  return values.of;
}

TEST(Benchmark, HasMedianBestAndWidthOfTheMiddleHalf) {
  add_benchmark("five", 5, [left = std::vector<double>{10, 1000, 9, 11, 0}](auto& state) mutable {
    state.SetIterationTime(1);
    const double value = left.back();
    left.pop_back();
    return value;
  });
  std::map<std::string, double> values = measured();
  EXPECT_EQ(values["median"], 10);
  EXPECT_EQ(values["best"], 1000);
  EXPECT_DOUBLE_EQ(values["spread"], 0.2);
}

TEST(CoreClock, IsThatOfAProcessor) {
  double cycle = 1;
  for (int round = 0; round < 101; ++round) cycle = std::min(cycle, cycle_seconds());
  EXPECT_GT(1e-9 / cycle, 0.3);
  EXPECT_LT(1e-9 / cycle, 8.0);
}

// What all threads together do in their windows: this one 1 in each piece, others 1000. This one
// sleeps `late_ms` in each piece, once it has been seen how much fits into a window.
std::atomic<int> others{0};  // that have worked
std::map<std::string, double> rates_of(int late_ms) {
  const auto this_one = std::this_thread::get_id();
  const double seen_s = seconds_now() + 0.06;
  add_rate("naps", 0.05, [=] {
    const bool is_other = std::this_thread::get_id() != this_one;
    if (is_other) {
      [[maybe_unused]] thread_local const int number = ++others;
    }
    const bool is_late = !is_other && seconds_now() > seen_s;
    std::this_thread::sleep_for(std::chrono::milliseconds(is_late ? late_ms : 1));
    return is_other ? 1000.0 : 1.0;
  });
  return measured();
}

TEST(Rate, CountsWhatAllThreadsDoUntilTheLastHasEnded) {
  EXPECT_GT(rates_of(1)["best"], others > 0 ? 5000 : 50);
  // Ten pieces of each of the others, at most, in a window that lasts 50 ms at least.
  EXPECT_LE(rates_of(50)["median"], std::max(1, others.load()) * 10 * 1000 / 0.05);
}

struct Seen {
  std::vector<const char*> first;
  std::size_t bytes = 0;
  int times = 0;
} seen;
void remember(char* const* arrays, std::size_t bytes, int times) {
  seen.first.push_back(arrays[0]);
  seen.bytes = bytes;
  seen.times = times;
}

TEST(Streams, GoThroughArraysPieceByPieceAndSmallOnesManyTimes) {
  constexpr std::size_t k = 1024, m = k * k;
  struct Row {
    int arrays;
    std::size_t bytes, piece;
    int times;
    std::vector<std::size_t> offsets;
  };
  for (const Row& row :
       {Row{2, 6 * m + 5, m, 1, {0, m, 2 * m, 0}}, Row{1, 16 * k, 16 * k, 16, {0, 0}},
        Row{3, 16 * k, 5 * k, 51, {0, 0}}, Row{3, 1, k, 256, {0, 0}}}) {
    SCOPED_TRACE(row.bytes);
    seen = {};
    const Traffic traffic{"load", "", row.arrays, remember};
    for (const std::size_t offset : row.offsets) {
      const double moved = go_over_piece(traffic, row.bytes);
      EXPECT_EQ(moved, static_cast<double>(row.piece) * row.times * row.arrays);
      EXPECT_EQ(seen.bytes, row.piece);
      EXPECT_EQ(seen.times, row.times);
      EXPECT_EQ(seen.first.back() - seen.first.front(), static_cast<std::ptrdiff_t>(offset));
    }
  }
}

}  // namespace
}  // namespace nbody::machine
