#include "check/splits.hpp"

#include <gtest/gtest.h>

#include <list>

namespace nbody::check {
namespace {

// A case as far as splits look at it.
struct Asked {
  std::size_t n;
  unsigned ranks = 0;
  bool adaptive = false;
};

struct Split {
  std::vector<Asked> failed, passed;  // smallest first; none passed: about ranks
  const char *mistake, *says;
};

const std::vector<Asked> small = {{3}, {7}, {8}, {16}, {33}};

const Split splits[] = {
    {{{2, 3, true}, {50, 5, true}}, {}, "minimum_of_ranks", "on 3 ranks"},
    {{{1024}, {1031, 3, true}}, {}, "message_buffer", "wrong with 1024 bodies on 2 ranks"},
    {{{2, 8}, {9, 4}}, {}, "shared_among_ranks", "wrong with 2 bodies on 8 ranks"},
    {{{1}}, small, "lone_body", "only a body alone is wrong"},
    {{{2000}, {3000}, {4000}}, small, "too_many", "up to 33 bodies, wrong with 2000"},
    {{{64}, {96}}, {{3}, {7}, {100}, {200}}, "multiples", "multiple of 16"},
    {{{9}, {13}, {102}}, {{8}, {16}, {400}}, "remainder", "multiple of 4"},
    {{{20}}, {{3}, {21}, {40}}, "", ""}};

TEST(Splits, SayWhatFailuresHaveInCommon) {
  for (const Split& split : splits) {
    std::list<Case> cases;
    std::list<Failure> failures;
    Failing wrong;
    Passed right;
    const auto added = [&](const Asked& asked) {
      Case& test = cases.emplace_back();
      test.request.bodies.resize(asked.n);
      test.ranks = asked.ranks;
      test.request.adaptive = asked.adaptive;
      return &test;
    };
    for (const Asked& asked : split.failed) {
      wrong.push_back(&failures.emplace_back(Failure{added(asked), {}, 0, 0}));
    }
    for (const Asked& asked : split.passed) right.push_back(added(asked));
    const Cause cause = right.empty() ? about_ranks(2, wrong) : about_sizes(wrong, right);
    EXPECT_STREQ(cause.mistake, split.mistake) << cause.sentence;
    EXPECT_NE(cause.sentence.find(split.says), std::string::npos) << cause.sentence;
  }
}

}  // namespace
}  // namespace nbody::check
