#include <gtest/gtest.h>

#include <map>
#include <set>

#include "check/case.hpp"
#include "check/judge.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// An aspect of a simulator: what is asked of it.
std::string aspect_of(const Case& test) {
  const Request& request = test.request;
  if (!request.setting.integrator.empty()) return "kick and drift";
  if (request.steps == 0) return "forces";
  const std::string how = request.every_state ? "single steps" : "steps in one go";
  return (request.adaptive ? "adaptive " : "") + how;
}

constexpr std::size_t all_aspects = 6;

class EverySeed : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::vector<Case> cases = make_cases({.seed = GetParam()});
};

// A tail that is lost in kick() must be as visible as one that is lost in the forces.
TEST_P(EverySeed, EveryAspectMeetsEveryKindOfSize) {
  for (const bool in_double : {false, true}) {
    std::map<std::string, std::set<std::size_t>> all;
    for (const Case& test : make_cases({.seed = GetParam(), .in_double = in_double})) {
      if (test.request.threads + test.ranks == 0) all[aspect_of(test)].insert(test.n());
    }
    EXPECT_EQ(all.size(), all_aspects);
    for (const auto& [aspect, sizes] : all) {
      SCOPED_TRACE(aspect);
      for (std::size_t n = 1; n <= 17; ++n) EXPECT_EQ(sizes.count(n), 1u) << n;
      for (std::size_t width = 2; width <= 16; ++width) {
        std::set<std::size_t> remainders;
        for (const std::size_t n : sizes) {
          if (n > 17) remainders.insert(n % width);
        }
        EXPECT_EQ(remainders.size(), width) << width;
      }
      for (const std::size_t width : {24, 32, 48, 64, 96, 100, 128, 256}) {
        const auto beside = [&](std::size_t rest) {
          return std::any_of(sizes.begin(), sizes.end(), [&](std::size_t n) {
            return n + 1 >= width && (n + width - rest) % width == 0;
          });
        };
        EXPECT_TRUE(beside(0) && beside(1) && beside(width - 1)) << width;
      }
      EXPECT_GT(*sizes.rbegin(), in_double ? 512u : 1024u);
      EXPECT_TRUE(in_double || sizes.count(1000) == 1);
    }
  }
}

TEST_P(EverySeed, ThreadsMeetFewerBodiesAsManyAMultipleAndARest) {
  std::map<std::pair<unsigned, std::string>, std::set<std::string>> met;
  for (const Case& test : cases) {
    const unsigned threads = test.request.threads;
    if (threads < 2) continue;
    met[{threads, aspect_of(test)}].insert(test.n() < threads        ? "fewer"
                                           : test.n() == threads     ? "as many"
                                           : test.n() % threads == 0 ? "a multiple"
                                                                     : "a rest");
  }
  for (unsigned threads = 2; threads <= 8; ++threads) {
    for (const char* aspect :
         {"forces", "single steps", "adaptive single steps", "kick and drift"}) {
      EXPECT_EQ((met[{threads, aspect}].size()), threads == 2 ? 3u : 4u) << threads << aspect;
    }
  }
}

// What no drawn size meets by itself.
TEST_P(EverySeed, RareRequestsAreMade) {
  std::set<std::string> met;
  for (const Case& test : cases) {
    const Request& request = test.request;
    const Setting& setting = request.setting;
    if (request.steps > 65'536) met.insert("more steps than 16 bits count");
    if (request.steps > 0 && test.n() > sampled_from) met.insert("many: " + aspect_of(test));
    // min(fixed, adaptive), max(fixed, floor) and a floor for fixed steps must all be visible.
    if (request.steps == 0 || test.n() < 2 || test.n() > 200) continue;
    if (!request.adaptive) {
      if (setting.dt_floor > setting.dt) met.insert("fixed below the floor");
      continue;
    }
    const double largest =
        reference_time_step(request.bodies, test.reference().acceleration, test.rows);
    met.insert(setting.dt > largest ? "fixed above" : "fixed below");
    met.insert(setting.dt_floor > largest ? "floor above" : "floor below");
  }
  for (const char* what :
       {"more steps than 16 bits count", "many: adaptive steps in one go", "fixed below the floor",
        "fixed above", "fixed below", "floor above", "floor below"}) {
    EXPECT_EQ(met.count(what), 1u) << what;
  }
}

// A program for double that keeps its masses or its dt in float must fail.
TEST_P(EverySeed, OnlyNumbersOfDoubleHaveMoreDigitsThanFloat) {
  for (const bool all_digits : {false, true}) {
    std::set<std::string> with_more;
    for (const Case& test : make_cases({.seed = GetParam(), .all_digits = all_digits})) {
      if (test.what.find("star cluster") < 99) continue;  // as bench sends it
      const auto note = [&](const char* what, double value) {
        if (value != rounded_to_float(value)) with_more.insert(aspect_of(test) + ": " + what);
      };
      const Bodies<double>& bodies = test.request.bodies;
      note("mass", bodies.mass.back());
      note("place", bodies.qx.back());
      note("velocity", bodies.vx.back());
      if (test.request.steps == 1 && !test.request.adaptive) note("dt", test.request.setting.dt);
      note("softening", test.request.setting.softening);
    }
    EXPECT_EQ(with_more.empty(), !all_digits) << *with_more.begin();
    EXPECT_TRUE(!all_digits || with_more.size() > 4 * all_aspects);
  }
}

// Wrong forces are known before anything else is asked, and what takes long comes after all that.
TEST_P(EverySeed, FamiliesAreAskedInOrderOfDependenceAndLargeOnesLast) {
  const auto large = std::find_if(cases.begin(), cases.end(), comes_late);
  EXPECT_TRUE(std::is_sorted(cases.begin(), large,
                             [](const Case& a, const Case& b) { return a.group < b.group; }));
  EXPECT_TRUE(std::all_of(large, cases.end(), comes_late));
}

TEST_P(EverySeed, MakesItsOwnCasesAndTheSameAgain) {
  EXPECT_EQ(make_cases({.seed = GetParam()}).back().request, cases.back().request);
  EXPECT_NE(make_cases({.seed = GetParam() + 1}).front().request, cases.front().request);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EverySeed, testing::Values(1, 2, 4711));

// A capacity that only one of them exceeds shows nowhere else.
TEST(Cases, OneAspectMeetsMoreThan8192BodiesAndThoroughAll) {
  for (const auto& [seed, thorough] : {std::pair{1u, false}, {2u, false}, {3u, true}}) {
    std::set<std::string> aspects;
    for (const Case& test : make_cases({.seed = seed, .thorough = thorough})) {
      const bool many = test.n() >= many_from && test.n() <= many_to;
      if (many && test.request.threads + test.ranks == 0) aspects.insert(aspect_of(test));
    }
    EXPECT_EQ(aspects.size(), thorough ? all_aspects : 1) << seed;
  }
}

TEST(Cases, OfRanksAskEachNumberInTurn) {
  std::vector<unsigned> ranks;
  for (const Case& test : make_cases({.seed = 1, .ranks = 4})) {
    EXPECT_EQ(test.request.threads, 0u);
    if (test.block > 0) continue;  // asked last
    if (ranks.empty() || ranks.back() != test.ranks) ranks.push_back(test.ranks);
  }
  EXPECT_TRUE(ranks.back() >= 9 && ranks.back() <= 12) << ranks.back();
  ranks.pop_back();
  EXPECT_EQ(ranks, (std::vector<unsigned>{0, 1, 2, 3, 5, 6, 7, 8}));  // 4 is the part's own: 0
}

// An honest program's rounding must not lead a long run elsewhere: positions that are wrong in
// their last digit, outwards in x and z, inwards in y, end beside the others.
TEST(Cases, LongRunsForgiveRounding) {
  int long_runs = 0;
  for (const std::uint64_t seed : {134, 336, 392}) {
    for (const Case& test : make_cases({.seed = seed, .largest_n = 40})) {
      const bool in_one_go = test.request.steps >= 100 && !test.request.every_state;
      if (!in_one_go || test.request.steps >= very_many_steps) continue;
      ++long_runs;
      Request moved = test.request;
      for (double& x : moved.bodies.qx) x *= 1 + 1e-7;
      for (double& y : moved.bodies.qy) y *= 1 - 1e-7;
      for (double& z : moved.bodies.qz) z *= 1 + 1e-7;
      EXPECT_LT(miss_of(reference_run(moved).end, test.run(), 0x1p-24), path_limit / 10) << seed;
    }
  }
  EXPECT_EQ(long_runs, 3 * 12);
}

}  // namespace
}  // namespace nbody::check
