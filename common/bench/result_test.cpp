#include "bench/result.hpp"

#include <gtest/gtest.h>

#include "bench/test_results.hpp"
#include "bodies/input_error.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::bench {
namespace {

TEST(ResultFile, ReadsBackWhatItWrote) {
  BenchResult result{test_context(), {test_row("naive", {100, 2, "double"}, 1e9)}};
  result.rows[0].per_cycle = 0.25;
  result.rows[0].error = 1e-6;
  result.context.clock_hz = 4e9;
  const TestFolder folder;
  write_text(folder / "result.json", result_json(result, R"({"context": {}, "benchmarks": []})"));
  const BenchResult read = read_result(folder / "result.json");
  EXPECT_EQ(read.context, result.context);
  ASSERT_EQ(read.rows.size(), 1u);
  const BenchRow &row = read.rows[0], &written = result.rows[0];
  EXPECT_EQ(row.name, "naive");
  EXPECT_EQ(row.setup, written.setup);
  EXPECT_EQ(row.rounds, 7);
  EXPECT_EQ(row.rate.upper_quartile, written.rate.upper_quartile);
  EXPECT_EQ(row.seconds.minimum, written.seconds.minimum);
  EXPECT_EQ(row.per_cycle, 0.25);
  EXPECT_EQ(row.error, 1e-6);
  EXPECT_EQ(row.verdict, "right");
}

TEST(ResultFile, SaysWhatWasTimedBesideOtherPrograms) {
  BenchRow row = test_row("naive", {100, 1, "float"}, 1e9);
  row.rate.lower_quartile = row.rate.upper_quartile = row.rate.median;
  row.cores = 1;
  EXPECT_FALSE(row.on_busy_machine());
  row.cores = 0.6;  // of one thread
  EXPECT_TRUE(row.on_busy_machine());
  row.setup.threads = 2;  // these may wait for each other
  EXPECT_FALSE(row.on_busy_machine());
  row.rate.upper_quartile *= 1.3;
  EXPECT_TRUE(row.on_busy_machine());
  const BenchResult result{test_context(), {row}};
  EXPECT_NE(
      result_json(result, R"({"context": {}, "benchmarks": []})").find(R"("busy_machine": true)"),
      std::string::npos);
}

TEST(Result, BodiesThatMoveSixtyTimesASecond) {
  EXPECT_EQ(bodies_at_60_a_second(test_row("x", {100, 1, "float"}, 60e6)), 1000u);
}

TEST(Result, LabelsSayWhatDiffers) {
  const BenchSetup a{100, 1, "float"}, b{100, 2, "float"};
  EXPECT_EQ(label_of(b, {a, b}), "2 threads");
  EXPECT_EQ(label_of(a, {a}), "N = 100, 1 thread, float");
}

}  // namespace
}  // namespace nbody::bench
