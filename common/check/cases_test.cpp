#include <gtest/gtest.h>

#include <map>
#include <set>

#include "check/case.hpp"
#include "check/case_list.hpp"
#include "check/judge.hpp"

namespace nbody::check {
namespace {

// An aspect of a simulator: what is asked of it.
std::string aspect_of(const Case& test) {
  const Request& request = test.request;
  if (request.jerk) return "jerk";
  if (!request.setting.integrator.empty()) return "kick and drift";
  if (request.steps == 0) return "forces";
  const std::string how = request.every_state ? "single steps" : "steps in one go";
  return (request.adaptive ? "adaptive " : "") + how;
}

using Sizes = std::map<std::string, std::set<std::size_t>>;

Sizes sizes_of(const std::vector<Case>& cases) {
  Sizes sizes;
  for (const Case& test : cases) {
    if (test.request.threads + test.ranks == 0) sizes[aspect_of(test)].insert(test.n());
  }
  return sizes;
}

class EverySeed : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::vector<Case> cases = make_cases({.seed = GetParam()});
};

// A tail that is lost in kick() must be as visible as one that is lost in the forces.
TEST_P(EverySeed, EveryAspectMeetsEveryKindOfSize) {
  for (const bool in_double : {false, true}) {
    const Sizes all = sizes_of(make_cases({.seed = GetParam(), .in_double = in_double}));
    EXPECT_EQ(all.size(), 7u);
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
  std::map<std::pair<unsigned, std::string>, std::set<std::size_t>> sizes;
  for (const Case& test : cases) {
    if (test.request.threads > 0) sizes[{test.request.threads, aspect_of(test)}].insert(test.n());
  }
  const auto most = std::find_if(cases.begin(), cases.end(), [](const Case& test) {
    return test.request.threads > 8 && test.request.jerk;
  });
  ASSERT_NE(most, cases.end());
  for (const unsigned threads : {2u, 3u, 4u, 5u, 6u, 7u, 8u, most->request.threads}) {
    for (const char* aspect :
         {"forces", "single steps", "adaptive single steps", "kick and drift", "jerk"}) {
      const auto& met = sizes[{threads, aspect}];
      const auto any = [&](auto condition) {
        return std::any_of(met.begin(), met.end(), condition);
      };
      EXPECT_TRUE(threads == 2 || any([&](auto n) { return n < threads; })) << threads << aspect;
      EXPECT_TRUE(any([&](auto n) { return n == threads; })) << threads << aspect;
      EXPECT_TRUE(any([&](auto n) { return n > threads && n % threads == 0; }))
          << threads << aspect;
    }
  }
}

// What no drawn size meets by itself: a first body that stays where it is in float, negative steps
// of many bodies, two steps by kicks and drifts of some hundred, and what comes with the jerk.
TEST_P(EverySeed, RareRequestsAreMade) {
  std::set<std::string> met;
  for (const Case& test : cases) {
    const Request& request = test.request;
    const std::string& scheme = request.setting.integrator;
    EXPECT_TRUE(!request.jerk || request.accelerations);
    if (scheme == "yoshida4" && test.n() >= 300) met.insert("negative steps");
    if ((scheme == "kdk" || scheme == "dkd") && test.n() > 130 && request.steps == 2) {
      met.insert("two steps");
    }
    if (request.steps == 0 || test.n() < 2 || !scheme.empty() || request.adaptive) continue;
    const Bodies<double>& b = request.bodies;
    const auto stays = [&](double q, double v) {
      return (v != 0 || q == 0) && rounded_to_float(q + v * request.setting.dt) == q;
    };
    if (request.steps > 1 && b.mass[0] > 1e6 * b.mass[1] && stays(b.qx[0], b.vx[0]) &&
        stays(b.qy[0], b.vy[0]) && stays(b.qz[0], b.vz[0])) {
      met.insert("stays");
    }
  }
  EXPECT_EQ(met, (std::set<std::string>{"negative steps", "stays", "two steps"}));
}

// A program for double may have loops of its own.
TEST_P(EverySeed, InDoubleTwoNumbersOfThreadsMeetEveryAspect) {
  std::map<unsigned, std::set<std::string>> met;
  for (const Case& test : make_cases({.seed = GetParam(), .in_double = true})) {
    if (test.request.threads > 1) met[test.request.threads].insert(aspect_of(test));
  }
  EXPECT_EQ(met.size(), 2u);
  for (const auto& [threads, aspects] : met) EXPECT_GE(aspects.size(), 6u) << threads;
}

// A capacity that only one of them exceeds shows nowhere else: each is asked of thousands in half
// of all checks, the adaptive step always.
TEST(Cases, EveryAspectMeetsThousands) {
  std::map<std::string, int> met;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CaseList list({.seed = seed});
    add_many_bodies(list);
    EXPECT_EQ(list.cases.size(), 4u);
    for (const Case& test : list.cases) {
      EXPECT_GE(test.n(), 2600u);
      ++met[aspect_of(test)];
    }
  }
  EXPECT_EQ(met.size(), 5u);
  for (const auto& [aspect, times] : met) EXPECT_GE(times, 4) << aspect;
}

TEST(Cases, ForcesOfManyBodiesAreAskedInDoubleNowAndThen) {
  std::size_t lists_with_some = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CaseList list({.seed = seed, .in_double = true});
    add_many_bodies(list);
    ASSERT_LE(list.cases.size(), 1u);
    lists_with_some += list.cases.size();
    for (const Case& test : list.cases) {
      EXPECT_EQ(test.group, Group::forces);
      EXPECT_GE(test.n(), many_from);
    }
  }
  EXPECT_GE(lists_with_some, 4u);
  EXPECT_LE(lists_with_some, 16u);
}

// A program for double that keeps its masses or its dt in float must fail.
TEST_P(EverySeed, OnlyNumbersOfDoubleHaveMoreDigitsThanFloat) {
  for (const bool all_digits : {false, true}) {
    std::set<std::string> with_more;
    for (const Case& test : make_cases({.seed = GetParam(), .all_digits = all_digits})) {
      if (test.what == "1 step of a star cluster") continue;  // as bench sends it
      const auto note = [&](const char* what, double value) {
        if (value != rounded_to_float(value)) with_more.insert(aspect_of(test) + ": " + what);
      };
      const Bodies<double>& bodies = test.request.bodies;
      note("mass", bodies.mass.back());
      note("place", bodies.qx.back());
      note("velocity", bodies.vx.back());
      if (test.request.steps == 1) note("dt", test.request.setting.dt);
      if (test.request.setting.G == 1) note("softening", test.request.setting.softening);
    }
    if (!all_digits) {
      EXPECT_TRUE(with_more.empty()) << *with_more.begin();
      continue;
    }
    for (const char* aspect : {"forces", "single steps", "steps in one go", "adaptive single steps",
                               "adaptive steps in one go", "kick and drift", "jerk"}) {
      for (const char* what : {"mass", "place", "velocity"}) {
        EXPECT_EQ(with_more.count(std::string(aspect) + ": " + what), 1u) << aspect << what;
      }
    }
    EXPECT_EQ(with_more.count("single steps: dt"), 1u);
    EXPECT_EQ(with_more.count("forces: softening"), 1u);
  }
}

// Those before tell how long very many take.
TEST_P(EverySeed, BeginsWithSeveralBodiesAndEndsWithVeryMany) {
  EXPECT_GT(cases.front().n(), 30u);
  const auto other = std::find_if(cases.begin(), cases.end(), [](auto& one) { return one.block; });
  const Case& last = *std::prev(other);  // other blocks are asked after all that
  EXPECT_GE(last.n(), very_many_from);
  EXPECT_LT(last.rows.size(), 300u);
}

// min(fixed, adaptive), max(fixed, floor) and a floor for fixed steps must all be visible.
TEST_P(EverySeed, TheFixedStepAndTheFloorAreOnBothSides) {
  std::set<std::string> met;
  for (const Case& test : cases) {
    const Setting& setting = test.request.setting;
    if (test.request.steps == 0 || test.n() < 2 || test.n() > 200) continue;
    if (!test.request.adaptive) {
      if (setting.dt_floor > setting.dt) met.insert("fixed below the floor");
      continue;
    }
    const double largest =
        reference_time_step(test.request.bodies, test.reference().acceleration, test.rows);
    met.insert(setting.dt > largest ? "fixed above" : "fixed below");
    met.insert(setting.dt_floor > largest ? "floor above" : "floor below");
  }
  EXPECT_EQ(met.size(), 5u);
}

TEST_P(EverySeed, MakesItsOwnCasesAndTheSameAgain) {
  const std::vector<Case> again = make_cases({.seed = GetParam()});
  const std::vector<Case> others = make_cases({.seed = GetParam() + 1});
  ASSERT_EQ(again.size(), cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) EXPECT_EQ(again[k].request, cases[k].request);
  EXPECT_NE(others.front().request, cases.front().request);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EverySeed, testing::Values(1, 2, 3, 10, 4711));

TEST(Cases, OfRanksAskEachNumberInTurn) {
  std::vector<unsigned> ranks;
  std::set<std::size_t> long_messages;
  for (const Case& test : make_cases({.seed = 1, .ranks = 4})) {
    EXPECT_EQ(test.request.threads, 0u);
    if (test.block > 0) continue;  // asked last
    if (ranks.empty() || ranks.back() != test.ranks) ranks.push_back(test.ranks);
    if (test.n() > 20000 && test.ranks > 0) long_messages.insert(test.ranks);
  }
  ASSERT_FALSE(ranks.empty());
  EXPECT_TRUE(ranks.back() >= 9 && ranks.back() <= 12) << ranks.back();
  ranks.pop_back();
  EXPECT_EQ(ranks, (std::vector<unsigned>{0, 1, 2, 3, 5, 6, 7, 8}));  // 4 is the part's own: 0
  EXPECT_EQ(long_messages, (std::set<std::size_t>{2, 3}));
}

TEST(Cases, LargestLeavesOutLargerOnes) {
  for (const Case& test : make_cases({.seed = 1, .largest_n = 40})) EXPECT_LE(test.n(), 40u);
}

// An honest program's rounding must not lead a long run elsewhere: positions that are wrong in
// their last digit, outwards in x and z, inwards in y, end beside the others. These seeds draw
// close encounters, too.
TEST(Cases, LongRunsForgiveRounding) {
  for (const std::uint64_t seed : {134, 336, 392}) {
    CaseList list({.seed = seed});
    add_adaptive_steps(list);
    int long_runs = 0;
    for (const Case& test : list.cases) {
      if (test.request.steps < 100) continue;
      ++long_runs;
      Request moved = test.request;
      for (double& x : moved.bodies.qx) x *= 1 + 1e-7;
      for (double& y : moved.bodies.qy) y *= 1 - 1e-7;
      for (double& z : moved.bodies.qz) z *= 1 + 1e-7;
      const check::Run run = reference_run(test.request);
      EXPECT_LT(miss_of(reference_run(moved).end, run, 0x1p-24), path_limit / 10) << seed;
    }
    EXPECT_EQ(long_runs, 6);
  }
}

// A giant that is so large that nobody computes it would hide all others: exact bodies must also
// stand in loops over whole vectors, at their beginning and elsewhere.
TEST(Cases, ExactBodiesStandInACrowd) {
  std::map<std::string, std::size_t> largest;
  for (const Case& test : make_cases({.seed = 1})) {
    if (test.group != Group::exact_cases) continue;
    const std::string what = test.what.substr(0, test.what.find(", in a crowd"));
    largest[what] = std::max(largest[what], test.n());
  }
  for (const auto& [what, n] : largest) {
    EXPECT_GT(n, what == "one body: zero force" ? 0u : 64u) << what;
  }
  EXPECT_GE(largest.size(), 9u);
}

}  // namespace
}  // namespace nbody::check
