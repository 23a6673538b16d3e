// Every option of the check program does what it says.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "check/check_scenes.hpp"
#include "check/test_check_program.hpp"
#include "machine/machine.hpp"

namespace nbody::check {
namespace {

using test::contains;

class Options : public test::CheckProgram {
 protected:
  // The cases of a group of the only implementation.
  std::vector<nlohmann::json> cases(const std::string& group) const {
    std::vector<nlohmann::json> found;
    const auto all = json();
    for (const auto& row : all["implementations"][0]["cases"]) {
      if (row["group"] == group) found.push_back(row);
    }
    return found;
  }
  std::set<std::uint64_t> values(const std::string& group, const char* key) const {
    std::set<std::uint64_t> found;
    for (const auto& row : cases(group)) found.insert(row[key].get<std::uint64_t>());
    return found;
  }
};

TEST_F(Options, SeedIsTheFirstAndSeedsTheirNumber) {
  ASSERT_EQ(quick("right --seed 5 --seeds 2 --json result.json").status, 0);
  for (const char* group : {"forces", "steps", "adaptive step"}) {
    EXPECT_EQ(values(group, "seed"), (std::set<std::uint64_t>{5, 6})) << group;
  }
  EXPECT_EQ(json()["seed"], 5);
}

// Other seeds are other bodies, in other numbers; the same seed asks the same.
TEST_F(Options, SeedDecidesWhatIsAsked) {
  const auto asked = [&](const std::string& seed) {
    EXPECT_EQ(
        check("zoo right --manifest manifest.json --no-double --json result.json" + seed).status,
        0);
    return std::pair(json()["seed"], cases("forces"));
  };
  const auto first = asked(" --seed 5"), second = asked(" --seed 8");
  EXPECT_NE(first.second, second.second);
  EXPECT_EQ(first.second, asked(" --seed 5").second);
  // Without one it is drawn, and said.
  const auto drawn = asked(""), other = asked("");
  EXPECT_NE(drawn.first, other.first);
  EXPECT_EQ(drawn.second, asked(" --seed " + drawn.first.dump()).second);
}

TEST_F(Options, LargestLeavesOutLargerCases) {
  ASSERT_EQ(quick("right --largest 7 --json result.json").status, 0);
  EXPECT_EQ(values("forces", "n"), (std::set<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
  // Loses bodies beyond 1000 only.
  quick("small --seed 1 --largest 1000 --json result.json");
  for (const auto& row : cases("forces")) EXPECT_EQ(row["verdict"], "passed");
  const Outcome whole = check("zoo small --seed 1 --manifest manifest.json");
  EXPECT_EQ(whole.status, 1);
  EXPECT_TRUE(contains(whole.out, "bodies from index 1000 on pull no other body")) << whole.out;
}

// One request is waited for, the others not asked.
TEST_F(Options, TimeoutEndsTheWaiting) {
  const auto seconds_with = [&](const std::string& timeout) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome run = quick("hang --largest 1 --json result.json --timeout " + timeout);
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.out, "no answer in time")) << run.out;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double with_little = seconds_with("0.1"), with_more = seconds_with("1.5");
  EXPECT_GT(with_little, 0.1);
  EXPECT_GT(with_more, 1.5);
  EXPECT_LT(with_more, 15);  // 1.6 on a machine at rest; asked for every case, more than 30
  std::size_t failed = 0, not_run = 0;
  const auto all = json();
  for (const auto& row : all["implementations"][0]["cases"]) {
    failed += row["verdict"] == "failed" ? 1 : 0;
    not_run += row["verdict"] == "not run" ? 1 : 0;
  }
  EXPECT_EQ(failed, 1u);
  EXPECT_GT(not_run, 5u);
}

TEST_F(Options, ToleranceApproximateAllowsRawRoots) {
  EXPECT_EQ(quick("rough --largest 60").status, 1);
  EXPECT_EQ(quick("rough --largest 60 --tolerance standard").status, 1);
  EXPECT_EQ(quick("rough --largest 60 --tolerance approximate --json result.json").status, 0);
  EXPECT_EQ(json()["tolerance"], "approximate");
  for (const auto& row : cases("forces")) EXPECT_EQ(row["limit"], 1e-3);
}

TEST_F(Options, PrecisionDoubleWantsDouble) {
  const Outcome in_float = quick("coarse");
  EXPECT_EQ(in_float.status, 1);
  EXPECT_TRUE(contains(in_float.out, "right in float, not in double")) << in_float.out;
  const Outcome run = quick("coarse --precision double");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.out, "float is used instead of double")) << run.out;
  EXPECT_EQ(quick("right --precision double --json result.json").status, 0);
  EXPECT_EQ(json()["precision"], "double");
  EXPECT_EQ(json()["tolerance"], "double");
  for (const auto& row : cases("forces")) EXPECT_EQ(row["limit"], 1e-13);
}

TEST_F(Options, ArchTakesTheProgramOfAnInstructionSet) {
  std::string missing;
  if (machine::machine_has("avx2 fma", missing)) {
    EXPECT_EQ(quick("two").status, 0);
  }
#if defined(__x86_64__)
  const Outcome run = quick("two right --arch sse2 --json result.json");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.out, "zoo/two_sse2: FAILED")) << run.out;
  EXPECT_TRUE(contains(run.out, "zoo/right: skipped: has no program of its own for sse2\n"));
  EXPECT_EQ(json()["implementations"][0]["name"], "two_sse2");
  const Outcome other = quick("two --arch neon");
  EXPECT_EQ(other.status, 0);
  EXPECT_TRUE(contains(other.out, "zoo/two_neon: skipped: needs asimd\n")) << other.out;
#endif
}

TEST_F(Options, VShowsEveryKindAndEveryCase) {
  const Outcome run = quick("right -v --json result.json");
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = run.out.find("\n    forces ", at)) != std::string::npos; ++at) {
    ++lines;
  }
  EXPECT_EQ(lines, 1 + cases("forces").size());  // the group's line, and its cases
  for (const char* only_here : {"worst body", "giant at edge", "steps: no time passes"}) {
    EXPECT_TRUE(contains(run.out, only_here)) << only_here;
    EXPECT_FALSE(contains(quick("right").out, only_here)) << only_here;
  }
}

}  // namespace
}  // namespace nbody::check
