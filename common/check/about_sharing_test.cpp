#include <gtest/gtest.h>

#include <list>

#include "check/case_list.hpp"
#include "check/evidence.hpp"

namespace nbody::check {
namespace {

constexpr unsigned usual = 2;  // ranks

struct Wrong {
  std::size_t n;
  unsigned among;  // ranks or threads
  bool adaptive = false;
  const char* scheme = "";
};

class Sharing : public testing::Test {
 protected:
  const std::vector<const Failure*>& failures_of(const std::vector<Wrong>& rows, bool of_ranks) {
    for (const Wrong& row : rows) {
      Case& test = cases.emplace_back();
      test.request.bodies.resize(row.n);
      (of_ranks ? test.ranks : test.request.threads) = row.among;
      test.request.adaptive = row.adaptive;
      test.request.setting.integrator = row.scheme;
      failures.push_back({&test, {}, 0, 0, 0, false});
      found.push_back(&failures.back());
    }
    return found;
  }

  std::list<Case> cases;
  std::list<Failure> failures;
  std::vector<const Failure*> found;
};

struct Expected {
  std::vector<Wrong> failures;  // smallest first
  const char *mistake, *says;
};

class OfRanks : public Sharing, public testing::WithParamInterface<Expected> {};

TEST_P(OfRanks, WhatAllFailuresHaveInCommonIsNamed) {
  const Cause cause = about_numbers_of_ranks(usual, failures_of(GetParam().failures, true));
  EXPECT_STREQ(cause.mistake, GetParam().mistake);
  EXPECT_EQ(cause.sentence.rfind(GetParam().says, 0), 0u) << cause.sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, OfRanks,
    testing::Values(
        Expected{{{7, 0}}, "", ""}, Expected{{{7, 1}, {40, 1}}, "one_rank", "wrong on one rank"},
        Expected{{{2, 3}, {5, 8}}, "rank_without_bodies", "wrong with 2 bodies on 3 ranks"},
        Expected{{{2, 3, true}, {50, 5, true}},
                 "minimum_of_ranks",
                 "only adaptive steps are wrong on 3 ranks, right on 2"},
        Expected{{{30, 3, false, "hermite4"}, {40, 4, false, "hermite4"}},
                 "jerk_of_ranks",
                 "only da/dt is wrong on 3 ranks"},
        Expected{{{30, 3, false, "kdk"}, {40, 4, true, "dkd"}},
                 "moves_of_ranks",
                 "only kick() and drift() are wrong on 3 ranks"},
        Expected{{{1024, 3}, {1031, 3, true}},
                 "message_buffer",
                 "wrong with 1024 bodies on 3 ranks, right with fewer"},
        // Not of a rank without bodies, since others fail, too.
        Expected{{{2, 3}, {7, 3}}, "shared_among_ranks", "wrong on 3 ranks, right on 2: is the"},
        Expected{{{6, 3}, {7, 3, true}},
                 "shared_among_ranks",
                 "wrong with 6 bodies on 3 ranks, each with the same number"},
        // Bodies and ranks of one and the same case.
        Expected{{{2, 8}, {9, 4}}, "shared_among_ranks", "wrong on 4 ranks, right on 2: is the"},
        Expected{{{1, 1}, {8, 4}}, "shared_among_ranks", "wrong with 8 bodies on 4 ranks"}));

TEST_F(Sharing, ARemainderIsBlamedIfWithoutOneAllIsRight) {
  const auto& wrong = failures_of({{7, 0}, {9, 0}}, true);
  Case even, odd;
  even.request.bodies.resize(8);
  odd.request.bodies.resize(11);
  EXPECT_STREQ(about_remainders(usual, wrong, {&even}).mistake, "remainder_of_ranks");
  EXPECT_STREQ(about_remainders(usual, wrong, {&even, &odd}).mistake, "");
  EXPECT_STREQ(about_remainders(usual, wrong, {}).mistake, "");
}

TEST_F(Sharing, OneThreadWithoutBodiesIsNotAllThatIsWrong) {
  const auto& all = failures_of({{5, 8}, {9, 16}}, false);
  EXPECT_STREQ(about_number_of_threads(*all.front()->test, all).mistake, "thread_without_bodies");
  const auto& more = failures_of({{27, 3}}, false);
  EXPECT_STREQ(about_number_of_threads(*more.front()->test, more).mistake, "shared_among_threads");
}

}  // namespace
}  // namespace nbody::check
