#include "check/splits.hpp"

#include <gtest/gtest.h>

#include <list>

namespace nbody::check {
namespace {

// A case as far as splits look at it.
struct Asked {
  std::size_t n;
  unsigned among = 0;  // ranks or threads
  bool adaptive = false;
};

enum class By { ranks, threads, remainders, sizes };

struct Split {
  By by;
  std::vector<Asked> failed, passed;  // smallest first
  const char *mistake, *says;
};

const std::vector<Asked> small = {{3}, {7}, {8}, {16}, {33}};

const Split splits[] = {
    {By::threads, {{5, 8}, {9, 4}, {27}}, {}, "shared_among_threads", "9 bodies"},
    {By::ranks, {{7, 1}, {40, 1}}, {}, "one_rank", "wrong on one rank"},
    {By::ranks, {{2, 3}, {5, 8}}, {}, "rank_without_bodies", "wrong with 2 bodies on 3 ranks"},
    {By::ranks, {{2, 3, true}, {50, 5, true}}, {}, "minimum_of_ranks", "on 5 ranks"},
    {By::ranks, {{1024, 3}, {1031, 3, true}}, {}, "message_buffer", "wrong with 1024 bodies"},
    // Bodies and ranks of one and the same case, in which each rank has bodies.
    {By::ranks, {{2, 8}, {9, 4}}, {}, "shared_among_ranks", "wrong with 9 bodies on 4 ranks"},
    {By::remainders, {{7}, {9}}, {{8}, {12}, {20}}, "remainder_of_ranks", "of the 2 ranks"},
    {By::remainders, {{7}, {9}}, {{8}, {12}, {11}}, "", ""},
    {By::sizes, {{1}}, small, "lone_body", "only a body alone is wrong"},
    {By::sizes, {{2000}, {3000}, {4000}}, small, "too_many", "up to 33 bodies, wrong with 2000"},
    {By::sizes, {{64}, {96}}, {{3}, {7}, {100}, {200}}, "multiples", "multiple of 16"},
    {By::sizes, {{9}, {13}, {102}}, {{8}, {16}, {400}}, "remainder", "multiple of 4"},
    {By::sizes, {{20}}, {{3}, {21}, {40}}, "", ""}};

TEST(Splits, SayWhatFailuresHaveInCommon) {
  for (const Split& split : splits) {
    std::list<Case> cases;
    std::list<Failure> failures;
    std::vector<const Failure*> wrong;
    std::vector<const Case*> right;
    const auto added = [&](const Asked& asked) {
      Case& test = cases.emplace_back();
      test.request.bodies.resize(asked.n);
      (split.by == By::ranks ? test.ranks : test.request.threads) = asked.among;
      test.request.adaptive = asked.adaptive;
      return &test;
    };
    for (const Asked& asked : split.failed) {
      wrong.push_back(&failures.emplace_back(Failure{added(asked), {}, 0, 0}));
    }
    for (const Asked& asked : split.passed) right.push_back(added(asked));
    const Cause cause = split.by == By::ranks        ? about_sharing(Among::ranks, 2, wrong)
                        : split.by == By::threads    ? about_sharing(Among::threads, 0, wrong)
                        : split.by == By::remainders ? about_remainders(2, wrong, right)
                                                     : about_sizes(wrong, right);
    EXPECT_STREQ(cause.mistake, split.mistake) << cause.sentence;
    EXPECT_NE(cause.sentence.find(split.says), std::string::npos) << cause.sentence;
  }
}

}  // namespace
}  // namespace nbody::check
