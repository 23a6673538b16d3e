#include "cuda/ceiling_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cuda/device_facts.hpp"
#include "cuda/test_device.hpp"

namespace nbody {
namespace {

CeilingRow bandwidth(const std::string& level, double best, double spread = 0.01) {
  CeilingRow row{"bandwidth", level + ", load", "load", "", level, "byte/s"};
  row.array_bytes = std::size_t{1} << 30;
  row.best = row.median = best;
  row.spread = spread;
  return row;
}

std::vector<CeilingRow> good_rows() {
  return {bandwidth("shared", 33e12),
          bandwidth("L2", 7e12),
          bandwidth("device memory", 4.2e12),
          bandwidth("host to device, pinned", 55e9),
          bandwidth("host to device, pageable", 12e9),
          bandwidth("device to host, pinned", 54e9),
          bandwidth("device to host, pageable", 11e9)};
}

// Why row k of good_rows() is refused, with one row of them changed; empty where it is not.
std::string refused(std::size_t k, std::size_t changed, double best, double spread = 0.01) {
  auto rows = good_rows();
  rows[changed].best = best;
  rows[changed].spread = spread;
  judge_ceilings(rows, h200());
  EXPECT_EQ(rows[k].is_ceiling, rows[k].why_not.empty());
  return rows[k].why_not;
}

TEST(CeilingRow, RatesOfRepeats) {
  CeilingRow row;
  set_rates(row, {90, 100, 110, 101, 99});
  EXPECT_EQ(row.best, 110);
  EXPECT_EQ(row.median, 100);
  EXPECT_DOUBLE_EQ(row.spread, 0.02);
}

TEST(CeilingRow, InOrderAllAreCeilings) {
  auto rows = good_rows();
  judge_ceilings(rows, h200());
  for (const CeilingRow& row : rows) EXPECT_TRUE(row.is_ceiling) << row.name << row.why_not;
}

TEST(CeilingRow, RepeatsThatDifferAreNoCeiling) {
  EXPECT_EQ(refused(1, 1, 7e12, 0.10), "");
  EXPECT_EQ(
      refused(1, 1, 7e12, 0.14),
      "The middle half of its repeats differs by 14 %: measure again when nothing else runs.");
  EXPECT_NE(refused(1, 1, 7e12, std::nan("")), "");
  EXPECT_EQ(refused(0, 1, 7e12, 0.14), "");
}

TEST(CeilingRow, SlowerThanWhatLiesBehindIsNoCeiling) {
  EXPECT_EQ(refused(0, 0, 6e12), "It came out slower than L2.");
  EXPECT_EQ(refused(1, 1, 3e12), "It came out slower than device memory.");
  EXPECT_EQ(refused(2, 1, 3e12), "");  // the farther one is none the worse
  EXPECT_EQ(refused(2, 2, 40e9), "It came out slower than host to device, pinned.");
  EXPECT_EQ(refused(3, 3, 9e9), "It came out slower than host to device, pageable.");
  EXPECT_EQ(refused(5, 5, 9e9), "It came out slower than device to host, pageable.");
}

TEST(CeilingRow, ATenthIsNoDifference) {
  EXPECT_EQ(refused(1, 1, 3.9e12), "");
  EXPECT_NE(refused(1, 1, 3.7e12), "");
}

TEST(CeilingRow, ALevelIsAsFastAsItsFastestRow) {
  auto rows = good_rows();
  rows.push_back(bandwidth("shared", 5e12));
  judge_ceilings(rows, h200());
  EXPECT_TRUE(rows.front().is_ceiling);
}

TEST(CeilingRow, AnArrayThatL2CouldHold) {
  auto rows = good_rows();
  rows[2].array_bytes = 4 * h200().l2_bytes - 1;
  judge_ceilings(rows, h200());
  EXPECT_EQ(rows[2].why_not, "The free memory has no room for an array four times as large as L2.");
}

TEST(CeilingRow, Json) {
  CeilingRow row{"flops", "FP32 FMA", "fma", "float", "", "flop/s"};
  set_rates(row, {64e12, 65e12, 66e12});
  row.is_ceiling = false;
  row.why_not = "It stands here for a test.";
  const auto json = nlohmann::ordered_json::parse(devices_json({h200()}, {row}));
  EXPECT_EQ(
      json.at("ceilings").dump(),
      R"([{"where":"gpu 0","device":"NVIDIA H200","kind":"flops","name":"FP32 FMA",)"
      R"("instruction_set":"","lanes":0,"operation":"fma","level":"","precision":"float",)"
      R"("threads":0,"array_bytes":0,"unit":"flop/s","best":66000000000000.0,"median":65000000000000.0,)"
      R"("spread":0.03076923076923077,"is_ceiling":false,)"
      R"("why_not":"It stands here for a test."}])");
}

TEST(CeilingRow, JsonBesideTheFacts) {
  const auto with = nlohmann::json::parse(devices_json({h200(), h200()}, good_rows()));
  EXPECT_EQ(with.at("devices").size(), 2u);
  EXPECT_EQ(with.at("ceilings").size(), 7u);
  EXPECT_FALSE(nlohmann::json::parse(devices_json({h200()})).contains("ceilings"));
}

TEST(CeilingRow, TableFitsTheScreenAndNamesThePeakByTheClock) {
  CeilingRow fma{"flops", "FP32 FMA", "fma", "float", "", "flop/s"};
  fma.best = 65.1e12;
  CeilingRow root{"unit", "FP32 square root", "sqrt", "float", "", "operation/s"};
  root.best = 1234.56e9;
  auto rows = good_rows();
  rows.insert(rows.begin(), {fma, root});
  rows[0].spread = 0.2;
  rows[2].name = "shared memory, all lanes the same 16 bytes";
  rows[2].best = 1e12;
  judge_ceilings(rows, h200());
  const std::string text = ceilings_text(rows, h200());
  for (const char* part :
       {"65.10 Tflop/s  20.0 %  66.91 Tflop/s\n", "1234.6 x 10^9/s   0.0 %",
        "4200.0 GB/s   1.0 %    4916.7 GB/s\n", "  no ceiling: FP32 FMA. The middle half of",
        "  no ceiling: shared memory, all lanes the same 16 bytes. It came out slower than "
        "L2.\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace nbody
