#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bodies/random.hpp"
#include "check/force_hypotheses.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using test::accelerations;
using test::diagnosis_of;
using test::right;

// Every mistake is made in each of the three worlds.
class ForceDiagnosis : public testing::TestWithParam<std::uint64_t> {
 protected:
  Scene equal(std::size_t n) const {
    return make_check_scene(CheckScene::equal_masses, n, GetParam());
  }
  Scene heavy(std::size_t n) const {
    return make_check_scene(CheckScene::heavy_tail, n, GetParam());
  }
};

void expect_says(const std::string& diagnosis, const std::string& words) {
  EXPECT_NE(diagnosis.find(words), std::string::npos) << "diagnosis: " << diagnosis;
}

TEST_P(ForceDiagnosis, RightAnswersHaveNone) {
  for (const CheckScene kind : check_scenes) {
    for (const std::size_t n : {1, 2, 3, 7, 17, 129, 1000}) {
      const Scene scene = make_check_scene(kind, n, GetParam());
      EXPECT_EQ(diagnosis_of(scene, right(scene)), "") << name_of(kind) << " " << n;
      EXPECT_EQ(diagnosis_of(scene, reference_of(scene).acceleration, 1e-13), "");
    }
  }
}

// The beginnings of sentences; a full stop is the end of one.
TEST_P(ForceDiagnosis, AFactorForEachPair) {
  struct Case {
    std::vector<std::size_t> sizes;
    test::Factor factor;
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

// Sentences without numbers are tested by the table of mistakes (mistakes_test.cpp).
TEST_P(ForceDiagnosis, EachAxisSortedByItselfIsNoOrder) {
  const Scene scene = heavy(17);
  Vectors<double> got = right(scene);
  for (auto* column : {&got.x, &got.y, &got.z}) std::sort(column->begin(), column->end());
  EXPECT_EQ(diagnosis_of(scene, got).find("sorted"), std::string::npos);
}

TEST_P(ForceDiagnosis, OneAxisIsWrong) {
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

TEST_P(ForceDiagnosis, NumbersAreFitted) {
  const Scene scene = heavy(17);
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto) { return 2; })),
              "all forces too large by the same factor 2:");
  const double unit = std::ldexp(1, Units::for_bodies(scene.bodies, scene.setting.G).length);
  const Scene close = equal(17);
  Scene softer = close;
  softer.setting.softening = std::hypot(close.setting.softening, std::sqrt(1e-3) * unit);
  expect_says(diagnosis_of(close, right(softer)), "as if 0.001 were added to r^2");
}

TEST_P(ForceDiagnosis, DigitsAreMissing) {
  const Scene scene = equal(129);
  expect_says(diagnosis_of(scene, right(scene), 1e-13), "float is used instead of double");
}

TEST_P(ForceDiagnosis, NoneForWhatNobodyCanExplain) {
  const Scene scene = equal(129);
  Random random(2);
  EXPECT_EQ(diagnosis_of(scene, accelerations(scene, [&](auto, auto) { return random.uniform(); })),
            "");
}

INSTANTIATE_TEST_SUITE_P(Worlds, ForceDiagnosis, testing::ValuesIn(test::worlds));

}  // namespace
}  // namespace nbody::check
