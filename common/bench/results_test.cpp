// Results as they are written.
#include <gtest/gtest.h>

#include "bench/result.hpp"
#include "command_line/test_output.hpp"

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
  row.outcome = Outcome::right;
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

constexpr const char* of_google = R"({"context": {}, "benchmarks": []})";

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

}  // namespace
}  // namespace nbody::bench
