// The program as ./lab machine runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

Outcome machine(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), MACHINE_PROGRAM);
  return Command(std::move(arguments)).wait();
}

// One line, status 2, nothing measured.
void expect_refused(const Outcome& outcome, const std::string& fragment) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("machine: ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find(fragment), std::string::npos) << outcome.err;
}

TEST(MachineProgram, RefusesWhatItDoesNotKnow) {
  expect_refused(machine({"--nonsense"}), "--nonsense");
  expect_refused(machine({"part1"}), "part1");
  expect_refused(machine({"--json"}), "--json");
}

TEST(MachineProgram, RefusesAFileThatCannotBe) {
  expect_refused(machine({"--json", "/dev/null/card.json"}), "/dev/null/card.json");
}

TEST(MachineProgram, PrintsTheCardAndWritesIt) {
  TestFolder folder;
  const auto file = folder / "card.json";
  const Outcome outcome = machine({"--json", file.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no terminal, no progress
  for (const char* word : {"CPU", "1/sqrt", "pow", "peak", "loads from memory"}) {
    EXPECT_NE(outcome.out.find(word), std::string::npos) << outcome.out;
  }
  const auto json = nlohmann::json::parse(text_of(file));
  for (const char* key : {"date", "machine", "clock_hz", "prices", "ceilings"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_GT(json["ceilings"]["flops_per_s"]["median"].get<double>(), 0);
  for (const auto& price : json["prices"]) {
    EXPECT_EQ(price["there"].get<bool>(), price.contains("latency_cycles")) << price;
  }
}

}  // namespace
}  // namespace nbody
