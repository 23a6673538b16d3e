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
  const char* scheme = "";
  std::uint64_t steps = 0;
};

class Cases {
 public:
  Cases(const std::vector<Asked>& failed, const std::vector<Asked>& passed, Among among) {
    for (const Asked& asked : failed) {
      failures_.push_back({&add(asked, among), {}, 0, 0, 0, false});
      wrong.push_back(&failures_.back());
    }
    for (const Asked& asked : passed) right.push_back(&add(asked, among));
  }

  std::vector<const Failure*> wrong;
  std::vector<const Case*> right;

 private:
  const Case& add(const Asked& asked, Among among) {
    Case& test = cases_.emplace_back();
    test.request.bodies.resize(asked.n);
    test.request.steps = asked.steps;
    (among == Among::ranks ? test.ranks : test.request.threads) = asked.among;
    test.request.adaptive = asked.adaptive;
    test.request.setting.integrator = asked.scheme;
    return test;
  }

  std::list<Case> cases_;
  std::list<Failure> failures_;
};

struct Split {
  std::vector<Asked> failures, passed;  // failures: smallest first
  const char *mistake, *says;           // the beginning
};

void expect_said(const Cause& cause, const Split& split) {
  EXPECT_STREQ(cause.mistake, split.mistake);
  EXPECT_EQ(cause.sentence.rfind(split.says, 0), 0u) << cause.sentence;
}

constexpr unsigned usual = 2;  // ranks

TEST(Splits, OfRanks) {
  for (const Split& split : std::vector<Split>{
           {{{7}}, {}, "", ""},
           {{{7, 1}, {40, 1}}, {}, "one_rank", "wrong on one rank"},
           {{{2, 3}, {5, 8}}, {}, "rank_without_bodies", "wrong with 2 bodies on 3 ranks"},
           {{{2, 3, true}, {50, 5, true}},
            {},
            "minimum_of_ranks",
            "only adaptive steps are wrong on 3 ranks, right on 2"},
           {{{30, 3, false, "hermite4"}, {40, 4, false, "hermite4"}},
            {},
            "jerk_of_ranks",
            "only da/dt is wrong on 3 ranks"},
           {{{30, 3, false, "kdk"}, {40, 4, true, "dkd"}},
            {},
            "moves_of_ranks",
            "only kick() and drift() are wrong on 3 ranks"},
           {{{1024, 3}, {1031, 3, true}},
            {},
            "message_buffer",
            "wrong with 1024 bodies on 3 ranks, right with fewer"},
           // Not of a rank without bodies, since others fail, too.
           {{{2, 3}, {7, 3}}, {}, "shared_among_ranks", "wrong on 3 ranks, right on 2: is the"},
           {{{6, 3}, {7, 3, true}},
            {},
            "shared_among_ranks",
            "wrong with 6 bodies on 3 ranks, each with the same number"},
           // Bodies and ranks of one and the same case.
           {{{2, 8}, {9, 4}}, {}, "shared_among_ranks", "wrong on 4 ranks, right on 2: is the"},
           {{{1, 1}, {8, 4}}, {}, "shared_among_ranks", "wrong with 8 bodies on 4 ranks"},
           {{{7}, {9}}, {{8}}, "remainder_of_ranks", "right where the bodies are a multiple"},
           {{{7}, {9}}, {{8}, {11}}, "", ""}}) {
    const Cases cases(split.failures, split.passed, Among::ranks);
    expect_said(about_numbers_of_ranks(usual, cases.wrong, cases.right), split);
  }
}

TEST(Splits, OfThreads) {
  for (const Split& split : std::vector<Split>{
           {{{5, 8}, {9, 16}}, {}, "thread_without_bodies", "wrong with 5 bodies on 8 threads"},
           {{{5, 8}, {9, 16}, {27, 3}},
            {},
            "shared_among_threads",
            "the same wrong answer every time on 8 threads, right on one"},
           {{{27}}, {}, "shared_among_threads", "the same wrong answer every time on several"}}) {
    const Cases cases(split.failures, split.passed, Among::threads);
    expect_said(about_sharing(Among::threads, split.failures.front().among, "one", cases.wrong),
                split);
  }
}

TEST(Splits, OfSizesAndSteps) {
  const std::vector<Asked> small = {{3}, {7}, {8}, {16}, {33}};
  std::vector<Asked> many;
  for (std::size_t n = 1; n < 40; ++n) many.push_back({n});
  for (const Split& split : std::vector<Split>{
           {{{1}}, small, "lone_body", "only a body alone is wrong"},
           {{{2000}, {3000}, {4000}}, small, "too_many", "right up to 33 bodies, wrong with 2000"},
           {{{64}, {96}, {128}},
            {{3}, {7}, {100}, {200}},
            "multiples",
            "wrong where the number of"},
           {{{65}, {97}, {129}}, {{64}, {7}, {100}, {200}}, "remainder", "wrong where the number"},
           {{{9}, {13}, {102}}, {{8}, {16}, {24}, {400}}, "remainder", "right only where"},
           {{{64, 0, false, "", 70}},
            {{3, 0, false, "", 3}, {70, 0, false, "", 3}, {99, 0, false, "", 3}},
            "number_of_steps",
            "wrong after 70 steps, right after fewer of them"},
           {{{1000, 0}}, many, "too_many", "right up to 39 bodies"},
           {{{20, 0}}, {{3}, {7}}, "", ""}}) {
    const Cases cases(split.failures, split.passed, Among::threads);
    expect_said(about_sizes(cases.wrong, cases.right), split);
  }
}

TEST(Splits, OfLaterSteps) {
  const auto made = [](std::size_t n, std::uint64_t steps) {
    return Asked{n, 0, false, "", steps};
  };
  for (const Split& split : std::vector<Split>{
           {{made(2000, 2), made(3000, 5)},
            {made(1000, 2), made(4000, 1)},
            "stale_from_a_size",
            "the first step is right with any number of bodies, later ones are right with 1000, "
            "but not with 2000"},
           // As of an array that ends: one step of so many bodies is not known to be right.
           {{made(2000, 2)}, {made(1000, 2), made(1500, 1)}, "", ""},
           {{made(2000, 2), made(2000, 1)}, {made(1000, 2), made(4000, 1)}, "", ""},
           {{made(2000, 2)}, {made(2100, 2), made(4000, 1)}, "", ""}}) {
    const Cases cases(split.failures, split.passed, Among::threads);
    expect_said(about_later_steps(cases.wrong, cases.right, cases.right), split);
  }
}

}  // namespace
}  // namespace nbody::check
