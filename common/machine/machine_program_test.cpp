// The programs as common/lab/src/nbody_lab/measure/ceilings.py runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "simulator/test_program/command.hpp"

namespace nbody::machine {
namespace {

Outcome run(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PROGRAMS "/" + program);
  return Command(std::move(arguments)).wait();
}

// One line, status 2, nothing measured.
void expect_refused(const Outcome& outcome, const std::string& program,
                    const std::string& fragment) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind(program + ": ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find(fragment), std::string::npos) << outcome.err;
}

TEST(MachineProgram, RefusesWhatItDoesNotKnow) {
  expect_refused(run("machine", {"--nonsense"}), "machine", "--nonsense");
  expect_refused(run("machine", {"part1"}), "machine", "part1");
  expect_refused(run("ceilings_scalar", {"--nonsense"}), "ceilings", "--nonsense");
  expect_refused(run("ceilings_scalar", {"--seconds", "0"}), "ceilings", "--seconds");
}

TEST(MachineProgram, TellsFactsWithoutMeasuring) {
  const Outcome outcome = run("machine", {"--facts"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_FALSE(json.contains("prices"));
  for (const char* key : {"cpu", "cores", "l1d_bytes", "compiler"}) {
    EXPECT_TRUE(json["machine"].contains(key)) << key;
  }
}

TEST(MachineProgram, MeasuresPrices) {
  const Outcome outcome = run("machine", {});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_GT(json["clock_hz"].get<double>(), 1e8);
  ASSERT_EQ(json["prices"].size(), 16u);
  for (const auto& price : json["prices"]) {
    EXPECT_EQ(price["there"].get<bool>(), price.contains("latency_cycles")) << price;
  }
}

std::vector<nlohmann::json> rows_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--seconds", "0.005"});
  const Outcome outcome = run("ceilings_scalar", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

TEST(CeilingsProgram, PrintsARowForEachThatIsMeant) {
  const auto rows = rows_of({"--only", "flops mul_add float 1"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["instruction_set"], "scalar");
  EXPECT_EQ(rows[0]["lanes"], 1);
  EXPECT_EQ(rows[0]["unit"], "flop/s");
  EXPECT_GT(rows[0]["best"].get<double>(), 1e7);
  EXPECT_LE(rows[0]["median"].get<double>(), rows[0]["best"].get<double>());
  EXPECT_TRUE(rows_of({"--only", "flops mul_add float 1 L1"}).empty());
}

TEST(CeilingsProgram, LoadsFourAndEightBytes) {
  const auto rows = rows_of({"--only", "bandwidth load 1"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["name"], "L1 load, scalar, 4 bytes");
  EXPECT_EQ(rows[0]["precision"], "");
  EXPECT_EQ(rows[1]["precision"], "double");
  EXPECT_GE(rows[0]["array_bytes"].get<int>(), 8 << 10);
}

TEST(CeilingsProgram, CountsWhatItWouldMeasure) {
  const Outcome some = run("ceilings_scalar", {"--count", "--only", "unit sqrt 1"});
  EXPECT_EQ(some.out, "2\n");
  const Outcome all = run("ceilings_scalar", {"--count", "--all-levels", "--only", "triad 1"});
  EXPECT_GE(std::stoi(all.out), 2);  // L1 and memory at least
}

}  // namespace
}  // namespace nbody::machine
