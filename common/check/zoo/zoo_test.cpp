#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "check/manifest.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"

namespace nbody::check {
namespace {

// How many seeds each program meets: more of them every week.
std::uint64_t seeds() {
  const char* asked = std::getenv("LAB_ZOO_SEEDS");
  return asked == nullptr ? 1 : std::stoull(asked);
}

CheckResult checked(const ImplementationEntry& entry, Precision precision,
                    const std::string& tolerance) {
  Subject subject(program_in(entry, precision).value(), tolerance_named(tolerance, precision), 20);
  Plan plan;
  plan.seed = 100;
  plan.seeds = seeds();
  return {entry, "", check_everything(subject, plan)};
}

ImplementationEntry animal(const std::string& part, const std::string& name) {
  return select(read_manifest(LAB_MANIFEST), part, {name}).front();
}

std::string row_nearest_its_limit(const Rows& rows) {
  const Row* nearest = &rows.front();
  for (const Row& row : rows) {
    if (row.error / row.limit > nearest->error / nearest->limit) nearest = &row;
  }
  return name_of(nearest->group) + ", " + nearest->scene + ", N = " + std::to_string(nearest->n) +
         ", seed " + std::to_string(nearest->seed);
}

// The diagnosis, and what was expected and got.
std::string failure_text(const Rows& rows) {
  const Row* row = most_informative_row(rows);
  return row == nullptr ? "" : row->cause.sentence + ": " + row->detail;
}

void expect_half_of_every_limit(const CheckResult& result) {
  EXPECT_TRUE(all_passed(result.rows)) << result.entry.name << "\n" << failure_text(result.rows);
  EXPECT_LE(worst_share(result.rows), 0.5)
      << result.entry.name << ": " << row_nearest_its_limit(result.rows);
}

// A tolerance is only worth something if honest programs stay well below it: half, at every N and
// scene, over several seeds.
TEST(Zoo, HonestSimulatorsUseAtMostHalfOfEveryLimit) {
  for (const auto& entry : select(read_manifest(LAB_MANIFEST), "honest", {})) {
    expect_half_of_every_limit(checked(entry, Precision::single_precision, "standard"));
  }
}

TEST(Zoo, HonestSimulatorsUseAtMostHalfOfEveryLimitInDouble) {
  for (const auto& entry : select(read_manifest(LAB_MANIFEST), "honest", {})) {
    // Halves are for floats.
    if (!program_in(entry, Precision::double_precision)) continue;
    expect_half_of_every_limit(checked(entry, Precision::double_precision, "double"));
  }
}

TEST(Zoo, NaiveOfPartOneUsesAtMostHalfOfEveryLimit) {
  expect_half_of_every_limit(
      checked(animal("part1", "naive"), Precision::single_precision, "standard"));
}

TEST(Zoo, RawReciprocalRootIsApproximateNotStandard) {
  const auto entry = animal("wrong", "raw_rsqrt");
  const Precision precision = Precision::single_precision;
  EXPECT_FALSE(all_passed(checked(entry, precision, "standard").rows));
  const Rows rows = checked(entry, precision, "approximate").rows;
  EXPECT_TRUE(all_passed(rows)) << failure_text(rows);
}

}  // namespace
}  // namespace nbody::check
