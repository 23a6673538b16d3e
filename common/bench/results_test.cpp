// Results: compared, written, read.
#include <gtest/gtest.h>

#include "bench/compare.hpp"
#include "bench/result.hpp"
#include "command_line/test_output.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::bench {
namespace {

using command_line::test::contains;

// A row whose middle half reaches from 1 - spread/2 to 1 + spread/2 of its rate.
BenchRow test_row(const std::string& name, const BenchSetup& setup, double rate,
                  double spread = 0.04) {
  BenchRow row;
  row.name = name;
  row.flags = "-O3";
  row.setup = setup;
  row.rounds = 7;
  const double low = rate * (1 - spread / 2), high = rate * (1 + spread / 2);
  row.rate = {rate, low, high, low, high};
  const double work = static_cast<double>(setup.n) * static_cast<double>(setup.n);
  row.seconds = {work / rate, work / high, work / low, work / high, work / low};
  row.verdict = "right";
  return row;
}

BenchContext test_context() {
  BenchContext context;
  context.part = "zoo";
  context.scene = "plummer";
  context.cpu = "Abacus 2";
  context.compiler = "g++ 12";
  context.date = "2026-11-21";
  return context;
}

const BenchSetup here{1000, 1, "float"};

// Of a rate after one of 1000.
std::string verdict(double after, double spread) {
  return verdict_of(ratio_of(test_row("x", here, after, spread), test_row("x", here, 1000, 0.01)));
}

TEST(Compare, OutsideTheSpreadIsFasterOrSlower) {
  EXPECT_EQ(verdict(944, 0.22), "0.944 is inside the spread of 22 %: no difference shown");
  EXPECT_EQ(verdict(1200, 0.22), "1.2 is inside the spread of 22 %: no difference shown");
  EXPECT_EQ(verdict(1310, 0.04), "1.31: faster, outside the spread of 4 %");
  EXPECT_EQ(verdict(900, 0.04), "0.9: slower, outside the spread of 4 %");
}

TEST(Compare, TheWiderSpreadDecides) {
  const RateRatio ratio = ratio_of(test_row("x", here, 1.2, 0.01), test_row("x", here, 1, 0.30));
  EXPECT_EQ(ratio.difference, Difference::none);
  EXPECT_NEAR(ratio.spread, 0.30, 1e-12);
}

TEST(Compare, ASingleRoundShowsNothing) {
  BenchRow once = test_row("x", here, 5, 0);
  once.rounds = 1;
  EXPECT_EQ(ratio_of(once, test_row("x", here, 1, 0)).difference, Difference::unknown);
}

TEST(Compare, RowsOfOneFileOnlyAreNamed) {
  const BenchResult before{test_context(), {test_row("a", here, 1e9), test_row("b", here, 1e9)}};
  BenchResult after{test_context(), {test_row("a", here, 2e9), test_row("c", here, 1e9)}};
  after.context.cpu = "Abacus 3";
  after.rows[0].rate = {};
  after.rows[0].verdict = "killed by signal 11";
  const std::string text = compare_text(before, after);
  EXPECT_TRUE(contains(text, "only in the first")) << text;
  EXPECT_TRUE(contains(text, "only in the second")) << text;
  EXPECT_TRUE(contains(text, "not measured: killed by signal 11")) << text;
  EXPECT_TRUE(contains(text, "not the same processor: Abacus 2 and Abacus 3")) << text;
  EXPECT_FALSE(contains(compare_text(before, before), "not the same"));
}

BenchResult swept_by_n(const std::vector<double>& ratios) {
  BenchResult result{test_context(), {}};
  std::size_t n = 32;
  for (const double ratio : ratios) {
    result.rows.push_back(test_row("naive", {n, 1, "float"}, 1e9));
    result.rows.push_back(test_row("other", {n, 1, "float"}, ratio * 1e9));
    n *= 2;
  }
  return result;
}

TEST(Crossing, FromWhichNAnImplementationIsFaster) {
  const std::string text = crossings_text(swept_by_n({0.5, 0.9, 1.5, 3}));
  EXPECT_TRUE(contains(text, "faster than naive (1 thread, float)\n  from N = 128: other\n"))
      << text;
  EXPECT_TRUE(contains(crossings_text(swept_by_n({2, 2})), "from N = 32 or below: other"));
}

TEST(Crossing, AheadWithinTheSpreadOrForAWhileIsNotAhead) {
  EXPECT_TRUE(contains(crossings_text(swept_by_n({0.5, 1.03, 2})), "from N = 128: other"));
  EXPECT_TRUE(contains(crossings_text(swept_by_n({2, 2, 0.9})), "not at the largest: other"));
}

TEST(Crossing, FromWhichNThreadsPay) {
  BenchResult result{test_context(), {}};
  for (const std::size_t n : {100u, 1000u}) {
    result.rows.push_back(test_row("openmp", {n, 1, "float"}, 1e9));
    result.rows.push_back(test_row("openmp", {n, 2, "float"}, n == 100 ? 0.2e9 : 1.9e9));
  }
  const std::string text = crossings_text(result);
  EXPECT_TRUE(contains(text, "2 threads faster than one (float)\n  from N = 1000: openmp\n"))
      << text;
}

TEST(Crossing, NothingSweptNothingSaid) { EXPECT_EQ(crossings_text(swept_by_n({2})), ""); }

constexpr const char* of_google = R"({"context": {}, "benchmarks": []})";

TEST(ResultFile, ReadsBackWhatItWrote) {
  BenchResult result{test_context(), {test_row("naive", {100, 2, "double"}, 1e9)}};
  result.rows[0].per_cycle = 0.25;
  result.rows[0].error = 1e-6;
  result.context.clock_hz = 4e9;
  const TestFolder folder;
  write_text(folder / "result.json", result_json(result, of_google));
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
  EXPECT_TRUE(contains(result_json(result, of_google), R"("busy_machine": true)"));
}

TEST(Result, BodiesThatMoveSixtyTimesASecond) {
  EXPECT_EQ(bodies_at_60_a_second(test_row("x", {100, 1, "float"}, 60e6)), 1000u);
}

TEST(Result, LabelsSayWhatDiffers) {
  const BenchSetup a{100, 1, "float"}, b{100, 2, "float"}, c{200, 1, "float"};
  EXPECT_EQ(label_of(b, {a, b}), "2 threads");
  EXPECT_EQ(label_of(c, {a, c}), "N = 200");
  EXPECT_EQ(label_of(a, {a}), "N = 100, 1 thread, float");
}

}  // namespace
}  // namespace nbody::bench
