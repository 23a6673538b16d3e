#include "check/fitters.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "check/test_answers.hpp"
#include "core/random.hpp"

namespace nbody::check {
namespace {

using test::accelerations;
using test::diagnosis_of;
using test::right;

// Every mistake is made in each of the three worlds. Mistakes of the table are tested row by row
// (mistakes/mistakes_test.cpp); here, the numbers in sentences, and what must get no sentence.
class FittedNumbers : public testing::TestWithParam<std::uint64_t> {
 protected:
  Scene equal(std::size_t n) const {
    return make_check_scene(CheckScene::equal_masses, n, GetParam());
  }
  Scene heavy(std::size_t n) const {
    return make_check_scene(CheckScene::heavy_tail, n, GetParam());
  }
  Scene stepping(std::size_t n = 33) const { return test::step_scene(n, GetParam()); }
};

void expect_says(const std::string& diagnosis, const std::string& words) {
  EXPECT_NE(diagnosis.find(words), std::string::npos)
      << "expected: " << words << "\ndiagnosis: " << diagnosis;
}

// --- forces --------------------------------------------------------------------------------------

TEST_P(FittedNumbers, RightForcesHaveNone) {
  for (const CheckScene kind : check_scenes) {
    for (const std::size_t n : {1, 2, 3, 7, 17, 129, 1000}) {
      const Scene scene = make_check_scene(kind, n, GetParam());
      EXPECT_EQ(diagnosis_of(scene, right(scene)), "") << name_of(kind) << " " << n;
      EXPECT_EQ(diagnosis_of(scene, reference_of(scene).acceleration, 1e-13), "");
    }
  }
}

// The beginnings of sentences; a full stop is the end of one.
TEST_P(FittedNumbers, AFactorForEachPair) {
  struct Case {
    std::vector<std::size_t> sizes;
    Factor factor;
    std::string says;
  };
  const auto pair_of_2_and_5 = [](auto i, auto j) {
    return std::min(i, j) == 2 && std::max(i, j) == 5;
  };
  const Case cases[] = {
      // Targets
      {{2, 3, 129}, [](auto, auto) { return 0; }, "all accelerations are zero"},
      {{129},
       [](auto i, auto) { return i < 128; },
       "bodies from index 128 on feel nothing: a tail is skipped"},
      {{129}, [](auto i, auto) { return i < 100; }, "bodies from index 100 on feel nothing"},
      {{129}, [](auto i, auto) { return i != 5; }, "body 5 feels nothing."},
      {{129},
       [](auto i, auto) { return i != 5 && i != 9 && i != 80; },
       "body 5 and 2 others feel nothing."},
      // Pairs
      {{7, 129, 1000},
       [](auto i, auto j) { return i != 2 || j != 5; },
       "body 2 does not feel body 5: one pair is skipped"},
      {{7, 129, 1000},
       [&](auto i, auto j) { return !pair_of_2_and_5(i, j); },
       "body 2 does not feel body 5: one pair is skipped"},
      // Sources
      {{129},
       [](auto, auto j) { return j < 128; },
       "body 128 pulls no other body: the loop over the sources ends too early (a tail?)"},
      {{129},
       [](auto, auto j) { return j < 120; },
       "bodies 120 to 128 pull no other body: the loop over the sources ends too early"},
      {{129},
       [](auto, auto j) { return j != 60; },
       "body 60 pulls no other body: skipped as a source"},
      {{129}, [](auto, auto j) { return j % 64 == 0 ? 64 : 0; }, "body 0 pulls 64 times"},
      {{129}, [](auto, auto j) { return j == 7 ? 0.5 : 1; }, "body 7 pulls with 0.5 of its mass"},
      // Too many bodies for a fit of all weights
      {{1000}, [](auto, auto j) { return j < 960; }, "bodies from index 960 on pull no other body"},
      {{1000},
       [](auto i, auto j) { return i < 960 && j < 960; },
       "bodies from index 960 on are left out: they feel nothing and pull no other body"},
      {{1000},
       [](auto, auto j) { return j < 999; },
       "bodies from index 999 on pull no other body"}};
  for (const Case& test : cases) {
    for (const std::size_t n : test.sizes) {
      const Scene scene = equal(n);
      const std::string diagnosis = diagnosis_of(scene, accelerations(scene, test.factor)) + ".";
      EXPECT_EQ(diagnosis.rfind(test.says, 0), 0u) << diagnosis;
    }
  }
}

TEST_P(FittedNumbers, EachAxisSortedByItselfIsNoOrder) {
  const Scene scene = heavy(17);
  Vectors<double> got = right(scene);
  for (auto* column : {&got.x, &got.y, &got.z}) std::sort(column->begin(), column->end());
  EXPECT_EQ(diagnosis_of(scene, got).find("sorted"), std::string::npos);
}

TEST_P(FittedNumbers, OneAxisIsWrong) {
  const Scene scene = heavy(17);
  Vectors<double> last = right(scene), odd = right(scene), one_body = right(scene);
  for (std::size_t i = 0; i < 17; ++i) {
    last.y[i] = pull_of(scene, i, i == 16 ? 15 : 16).y;
    odd.z[i] += odd.x[i] * odd.x[i] / std::abs(odd.y[i]);
  }
  one_body.x[3] *= 1.5;
  const Reference reference = reference_of(scene);
  const auto axis_of = [&](const Vectors<double>& got) {
    return diagnose_one_axis({scene, reference, got}, 1e-5);
  };
  expect_says(axis_of(last), "the y component is what the last body does: `=`");
  expect_says(axis_of(odd), "only the z component is wrong: ");
  EXPECT_EQ(axis_of(one_body), "");
  EXPECT_EQ(axis_of(right(scene)), "");
}

TEST_P(FittedNumbers, ATailIsComputedInAnotherWay) {
  const Scene scene = equal(129);
  Vectors<double> got = right(scene);
  for (std::size_t i = 100; i < 129; ++i) {
    for (const auto axis : axes) (got.*axis)[i] *= 1 + 1e-3 * static_cast<double>(1 + i % 7);
  }
  expect_says(diagnosis_of(scene, got), "only the bodies from index 100 on are wrong");
}

TEST_P(FittedNumbers, NumbersAreFitted) {
  const Scene scene = heavy(17);
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto) { return 2; })),
              "all forces too large by the same factor 2:");
  const double unit = std::ldexp(1, Units::for_bodies(scene.bodies, scene.setting.G).length);
  const Scene close = equal(17);
  Scene softer = close;
  softer.setting.softening = std::hypot(close.setting.softening, std::sqrt(1e-3) * unit);
  expect_says(diagnosis_of(close, right(softer)), "as if 0.001 were added to r^2");
}

TEST_P(FittedNumbers, DigitsAreMissing) {
  const Scene scene = equal(129);
  expect_says(diagnosis_of(scene, right(scene), 1e-13), "float is used instead of double");
}

TEST_P(FittedNumbers, NoneForForcesThatNobodyCanExplain) {
  const Scene scene = equal(129);
  Random random(2);
  const auto got = accelerations(scene, [&](auto, auto) { return random.uniform(); });
  EXPECT_EQ(diagnosis_of(scene, got), "");
}

// --- how often each body pulls -------------------------------------------------------------------

constexpr double fit = 2e-5 + 1e-6;

// In a cluster the distant bodies' weights are too uncertain.
constexpr CheckScene lattices[] = {CheckScene::equal_masses, CheckScene::heavy_tail,
                                   CheckScene::giant_at_edge};

std::optional<std::vector<double>> weights_of(const Scene& scene, const Vectors<double>& got) {
  const Reference reference = reference_of(scene);
  return source_weights({scene, reference, got}, fit);
}

TEST(SourceWeights, PlantedOnesAreFound) {
  for (const CheckScene kind : lattices) {
    for (const std::size_t n : {2, 3, 7, 17, 64, 130}) {
      for (const std::uint64_t seed : test::worlds) {
        const Scene scene = make_check_scene(kind, n, seed);
        Random random(seed * 1000 + n);
        std::vector<double> planted(n);
        for (double& weight : planted) weight = static_cast<double>(random.bits() % 5) / 2;
        const auto found =
            weights_of(scene, test::accelerations(scene, [&](auto, auto j) { return planted[j]; }));
        ASSERT_TRUE(found) << name_of(kind) << " " << n << " " << seed;
        for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR((*found)[j], planted[j], 0.05) << j;
      }
    }
  }
}

TEST(SourceWeights, RightAnswersHaveOnes) {
  for (const CheckScene kind : lattices) {
    const Scene scene = make_check_scene(kind, 129, 1);
    const auto found = weights_of(scene, test::right(scene));
    ASSERT_TRUE(found);
    EXPECT_EQ(describe_source_weights(*found).cause.sentence, "") << name_of(kind);
  }
}

TEST(SourceWeights, NoneForOneBodyOrVeryMany) {
  for (const std::size_t n : {1, 131}) {
    const Scene scene = make_check_scene(CheckScene::equal_masses, n, 1);
    EXPECT_FALSE(weights_of(scene, test::right(scene)));
  }
}

TEST(SourceWeights, InWords) {
  EXPECT_EQ(describe_source_weights({1, 1.01, 0.99, 1}).cause.sentence, "");
  EXPECT_EQ(describe_source_weights({1, 1, 1, 0}).cause.sentence,
            "body 3 pulls no other body: the loop over the sources ends too early (a tail?)");
  EXPECT_EQ(describe_source_weights({1, 0, 0, 0}).cause.sentence,
            "bodies 1 to 3 pull no other body: the loop over the sources ends too early (a tail?)");
  EXPECT_EQ(describe_source_weights({1, 0, 1, 0}).cause.sentence,
            "bodies 1, 3 pull no other body: skipped as a source");
  EXPECT_EQ(describe_source_weights({0, 1, 0, 1, 0, 0, 1}).cause.sentence,
            "bodies 0, 2, 4 and 1 more pull no other body: skipped as a source");
  EXPECT_EQ(describe_source_weights({1, 0.5, 1}).cause.sentence,
            "body 1 pulls with 0.5 of its mass");
  const std::string masses = describe_source_weights({1, 0.5, 0.01, 1.4, 0.7}).cause.sentence;
  EXPECT_EQ(
      masses.rfind("most bodies pull with another mass than their own, for example body 1", 0), 0u)
      << masses;
  const std::string repeated = describe_source_weights({1, 3, 0, 0}).cause.sentence;
  EXPECT_EQ(repeated.rfind("body 1 pulls 3 times, bodies 2, 3 not at all", 0), 0u) << repeated;
}

// --- steps
// ----------------------------------------------------------------------------------------

using Spoil = std::function<void(State& after, std::uint64_t step)>;

// Right steps, each followed by what is wrong about it.
std::vector<State> spoilt_run(const Scene& scene, std::uint64_t steps, const Spoil& spoil) {
  std::vector<State> states;
  for (std::uint64_t k = 0; k < steps; ++k) {
    State after = test::next(scene, k == 0 ? state_of(scene) : states.back());
    spoil(after, k);
    states.push_back(test::rounded_to_float(after));
  }
  return states;
}

Hypotheses found_in(const Scene& scene, std::vector<State> states, bool adaptive = false) {
  Case test = case_of(Group::steps, "", scene);
  test.rows.resize(scene.bodies.size());
  std::iota(test.rows.begin(), test.rows.end(), std::size_t{0});
  test.request.steps = states.size();
  test.request.every_state = true;
  test.request.adaptive = adaptive;
  Answer answer;
  answer.states = std::move(states);
  return fitted_step_mistakes(test, answer, test::standard());
}

std::string step_diagnosis_of(const Scene& scene, const std::vector<State>& states) {
  const Hypotheses found = found_in(scene, states);
  return found.empty() ? "" : found.front().cause.sentence;
}

TEST_P(FittedNumbers, RightStepsHaveNone) {
  for (const std::size_t n : {2, 33, 257}) {
    EXPECT_EQ(step_diagnosis_of(stepping(n), spoilt_run(stepping(n), 4, [](State&, auto) {})), "")
        << n;
  }
}

TEST_P(FittedNumbers, TheLastKickOrDriftOfARun) {
  const Case run = steps_in_one_go(stepping(), 5, short_time);
  Answer answer;
  const auto says = [&](const Vectors<double>& q, const Vectors<double>& v) {
    Case test = run;
    test.rows = all_rows(test.n());
    answer.states = {{test.run().end.time, q, v}};
    const Hypotheses found = fitted_step_mistakes(test, answer, test::standard());
    return found.empty() ? "" : found.front().cause.sentence;
  };
  const State begin = state_of(stepping()), end = reference_run(run.request).end;
  expect_says(says(end.position, begin.velocity), "the places are right, the velocities are not");
  expect_says(says(begin.position, end.velocity), "the velocities are right, the places are not");
  EXPECT_EQ(says(begin.position, begin.velocity), "");
}

TEST_P(FittedNumbers, Friction) {
  for (const double keep : {0.5, 0.99, 1.01}) {
    const State after = test::next(stepping(), state_of(stepping()), {.keep = keep});
    expect_says(step_diagnosis_of(stepping(), {test::rounded_to_float(after)}),
                fmt::format("velocities are multiplied by {:g} in every step", keep));
  }
}

TEST_P(FittedNumbers, TimeIsWrong) {
  const double dt = stepping().setting.dt;
  const auto states = spoilt_run(stepping(), 3, [&](State& after, std::uint64_t step) {
    if (step == 1) after.time += dt / 2;
  });
  expect_says(step_diagnosis_of(stepping(), states), "the time returned by advance() is wrong");
}

// Lengths of an adaptive step that Eq. 7 does not give, with the motion that follows from them.
TEST_P(FittedNumbers, TheLengthOfAStep) {
  const Scene bodies = stepping();
  const Vectors<double> a = reference_of(bodies).acceleration;
  const double right = reference_time_step(bodies.bodies, a);
  const auto says = [&](double dt, const char* mistake) {
    const State after = test::moved(state_of(bodies), a, dt);
    for (const Hypothesis& one : found_in(bodies, {test::rounded_to_float(after)}, true)) {
      if (is(one.cause, mistake)) return one.cause.sentence;
    }
    return std::string("none");
  };
  EXPECT_EQ(says(right, "ratio"), "none");
  expect_says(says(1.5 * right, "ratio"), "1.5 times the largest that Eq. 7 allows");
  const auto of = [&](const Bodies<double>& all, std::size_t i) {
    return reference_time_step(all, {{a.x[i]}, {a.y[i]}, {a.z[i]}}, {i});
  };
  const double of_3 = of(bodies.bodies, 3);
  if (of_3 > 1.001 * right) expect_says(says(of_3, "another_body_step"), "that of body 3, but");
  // By distance from the body that decides, which is the first.
  std::vector<std::size_t> near(bodies.bodies.size());
  std::iota(near.begin(), near.end(), std::size_t{0});
  const std::size_t decides = *std::min_element(near.begin(), near.end(), [&](auto i, auto j) {
    return of(bodies.bodies, i) < of(bodies.bodies, j);
  });
  std::sort(near.begin(), near.end(), [&](auto i, auto j) {
    return distance(bodies.bodies, decides, i) < distance(bodies.bodies, decides, j);
  });
  Bodies<double> without_nearest = bodies.bodies;
  without_nearest.qx[near[1]] += 1e3 * distance(bodies.bodies, decides, near.back());
  expect_says(says(of(without_nearest, decides), "missed_neighbour"),
              fmt::format("body {} allows by its distance to body {}, but body {} is nearer",
                          decides, near[2], near[1]));
  EXPECT_EQ(says(1.5 * right, "missed_neighbour"), "none");
  const Units units = Units::for_bodies(bodies.bodies, bodies.setting.G);
  double round = 1;
  while (units.time_to_si(round) > right / 2) round /= 10;
  expect_says(says(units.time_to_si(round), "constant_step"), "no adaptive step is longer");
  EXPECT_EQ(says(units.time_to_si(1.234 * round), "constant_step"), "none");
}

// Bodies from some index on are not moved, or moved wrongly.
TEST_P(FittedNumbers, ATailOfBodies) {
  const State sent = state_of(stepping());
  const auto says = [&](const Spoil& spoil) {
    return step_diagnosis_of(stepping(), spoilt_run(stepping(), 1, spoil));
  };
  const auto last = [](Vectors<double>& all, const Vectors<double>& others) {
    for (const auto axis : axes) {
      std::copy((others.*axis).end() - 3, (others.*axis).end(), (all.*axis).end() - 3);
    }
  };
  const std::string from = fmt::format("from index {} on ", stepping().bodies.size() - 3);
  expect_says(says([&](State& after, auto) {
                last(after.position, sent.position);
                last(after.velocity, sent.velocity);
              }),
              from + "do not move: a tail that update_bodies() skips");
  expect_says(says([&](State& after, auto) { last(after.velocity, sent.velocity); }),
              from + "keep their velocity");
  expect_says(says([&](State& after, auto) { last(after.position, sent.position); }),
              from + "keep their place");
  expect_says(says([&](State& after, auto) {
                last(after.velocity, {{9, 9, 9}, {9, 9, 9}, {9, 9, 9}});
              }),
              from + "are moved wrongly: a tail");
}

TEST_P(FittedNumbers, BodiesInEachOthersPlace) {
  const auto states = spoilt_run(stepping(), 2, [](State& after, std::uint64_t step) {
    for (auto* vectors : {&after.position, &after.velocity}) {
      for (const auto axis : axes) {
        if (step == 1)
          std::rotate((vectors->*axis).begin(), (vectors->*axis).begin() + 1,
                      (vectors->*axis).begin() + 4);
      }
    }
  });
  expect_says(step_diagnosis_of(stepping(), states), "4 bodies are where others of them should be");
}

TEST_P(FittedNumbers, NoneForStepsThatNobodyCanExplain) {
  const auto states = spoilt_run(stepping(), 2, [](State& after, auto) {
    for (std::size_t i = 0; i < after.velocity.x.size(); i += 3) after.velocity.x[i] *= 1.5;
  });
  EXPECT_EQ(step_diagnosis_of(stepping(), states), "");
}

INSTANTIATE_TEST_SUITE_P(Worlds, FittedNumbers, testing::ValuesIn(test::worlds));

}  // namespace
}  // namespace nbody::check
