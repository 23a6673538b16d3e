// What a processor can do is found out and measured.
#include "machine/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "machine/clock.hpp"
#include "machine/rates.hpp"
#include "machine/streams.hpp"

namespace nbody::machine {
namespace {

// A feature name must match as a whole word: "avx" is no proof of "avx512f".
TEST(Machine, NamesTheFirstMissingFeature) {
  for (const auto& [features, first] :
       {std::pair{"", "untouched"}, {"no_such_feature another", "no_such_feature"}, {"av", "av"}}) {
    std::string missing = "untouched";
    const bool has_all = machine_has(features, missing);
    EXPECT_EQ(missing, first) << features;
    EXPECT_EQ(has_all, missing == "untouched") << features;
  }
}

// What the system has does not matter, only what this process may use.
TEST(Machine, CountsTheProcessorsThatThisProcessMayUse) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_processors(), static_cast<unsigned>(CPU_COUNT(&before)));
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_processors(), 1u);
  sched_setaffinity(0, sizeof before, &before);
}

TEST(CoreClock, IsThatOfAProcessor) {
  std::vector<double> cycles;
  for (int round = 0; round < 101; ++round) cycles.push_back(cycle_seconds());
  const double gigahertz = 1e-9 / measured_of(cycles).median;
  EXPECT_GT(gigahertz, 0.3);
  EXPECT_LT(gigahertz, 8.0);
}

TEST(Measured, IsMedianAndWidthOfTheMiddleHalf) {
  EXPECT_EQ(measured_of({5, 1, 3}).median, 3);
  EXPECT_EQ(measured_of({8, 2, 4, 6}).median, 5);
  const Measured five = measured_of({10, 1000, 9, 11, 0});
  EXPECT_EQ(five.median, 10);
  EXPECT_DOUBLE_EQ(five.spread, 0.2);
}

class Rates : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) of[run.aggregate_name] = run.counters.at("value").value;
  }
  std::map<std::string, double> of;  // the median, ...
};

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
  Rates rates;
  benchmark::RunSpecifiedBenchmarks(&rates);
  benchmark::ClearRegisteredBenchmarks();
  return rates.of;
}

TEST(Rate, CountsWhatAllThreadsDoUntilTheLastHasEnded) {
  std::map<std::string, double> rates = rates_of(1);
  EXPECT_GT(rates["best"], others > 0 ? 5000 : 50);
  EXPECT_LE(rates["median"], rates["best"]);
  EXPECT_GE(rates["spread"], 0);
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
  for (const Row& row : {Row{2, 6 * m + 5, m, 1, {0, m, 2 * m, 0}},
                         Row{1, 16 * k, 16 * k, 16, {0, 0}}, Row{3, 24 * k, 8 * k, 32, {0, 0}},
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
