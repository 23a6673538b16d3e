#include "check/force_diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bodies/random.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using test::accelerations;
using test::diagnosis_of;

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

Vectors<double> right(const Scene& scene) {
  return accelerations(scene, [](auto, auto) { return 1; });
}

TEST_P(ForceDiagnosis, RightAnswersHaveNone) {
  for (const CheckScene kind : check_scenes()) {
    for (const std::size_t n : {1, 2, 3, 7, 17, 129, 1000}) {
      const Scene scene = make_check_scene(kind, n, GetParam());
      EXPECT_EQ(diagnosis_of(scene, right(scene)), "") << name_of(kind) << " " << n;
      EXPECT_EQ(diagnosis_of(scene, test::reference_of(scene).acceleration, 1e-13), "");
    }
  }
}

TEST_P(ForceDiagnosis, NothingIsComputed) {
  for (const std::size_t n : {2, 3, 129}) {
    const Scene scene = equal(n);
    const auto zeros = accelerations(scene, [](auto, auto) { return 0; });
    expect_says(diagnosis_of(scene, zeros), "all accelerations are zero");
  }
}

TEST_P(ForceDiagnosis, TargetsAreSkipped) {
  const Scene scene = equal(129);
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto i, auto) { return i < 128; })),
              "bodies from index 128 on feel nothing: a tail is skipped");
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto i, auto) { return i < 100; })),
              "bodies from index 100 on feel nothing");
  const auto without_5 = accelerations(scene, [](auto i, auto) { return i != 5; });
  EXPECT_EQ(diagnosis_of(scene, without_5), "body 5 feels nothing");
  const auto without_three =
      accelerations(scene, [](auto i, auto) { return i != 5 && i != 9 && i != 80; });
  EXPECT_EQ(diagnosis_of(scene, without_three), "body 5 and 2 others feel nothing");
}

TEST_P(ForceDiagnosis, TwoBodiesAreSwapped) {
  const Scene scene = heavy(17);
  Vectors<double> got = right(scene);
  for (auto* column : {&got.x, &got.y, &got.z}) std::swap((*column)[3], (*column)[11]);
  expect_says(diagnosis_of(scene, got), "bodies 3 and 11 have each other's acceleration: swapped");
}

TEST_P(ForceDiagnosis, OnePairIsSkipped) {
  for (const std::size_t n : {7, 129, 1000}) {
    const Scene scene = equal(n);
    const auto one_way = accelerations(scene, [](auto i, auto j) { return i != 2 || j != 5; });
    expect_says(diagnosis_of(scene, one_way), "body 2 does not feel body 5: one pair is skipped");
    const auto both_ways = accelerations(
        scene, [](auto i, auto j) { return std::min(i, j) != 2 || std::max(i, j) != 5; });
    expect_says(diagnosis_of(scene, both_ways), "body 2 does not feel body 5: one pair is skipped");
  }
}

TEST_P(ForceDiagnosis, EveryForceHasTheSameFactor) {
  const Scene scene = heavy(17);
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto) { return -1; })),
              "every force points the wrong way");
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto) { return 0.9; })),
              "all forces too small by the same factor 0.9:");
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto) { return 2; })),
              "all forces too large by the same factor 2:");
}

TEST_P(ForceDiagnosis, AxesAreMixedUp) {
  const Scene scene = equal(17);
  Vectors<double> got = right(scene);
  got.z = got.y;
  EXPECT_EQ(diagnosis_of(scene, got), "the z component holds the y component");
  got = right(scene);
  std::swap(got.x, got.y);
  EXPECT_EQ(diagnosis_of(scene, got), "the x and y components are swapped");
  got = right(scene);
  for (std::size_t i = 12; i < 17; ++i) std::swap(got.y[i], got.z[i]);
  EXPECT_EQ(diagnosis_of(scene, got),
            "the y and z components are swapped, of 5 bodies from index 12 on: a remainder loop?");
}

TEST_P(ForceDiagnosis, OneAxisIsWrong) {
  const Scene scene = equal(17);
  Vectors<double> got = right(scene);
  for (double& y : got.y) y = -y;
  EXPECT_EQ(diagnosis_of(scene, got), "the y component has the wrong sign");
  std::fill(got.y.begin(), got.y.end(), 0.0);
  EXPECT_EQ(diagnosis_of(scene, got), "the y component is zero: never summed?");
}

TEST_P(ForceDiagnosis, AbsoluteConstant) {
  const Scene scene = equal(17);
  const double unit = std::ldexp(1, Units::for_bodies(scene.bodies, scene.setting.G).length);
  const double softening2 = scene.setting.softening * scene.setting.softening;
  expect_says(diagnosis_of(scene, accelerations(scene, softening2 + 1e-3 * unit * unit,
                                                [](auto, auto) { return 1; })),
              "as if 0.001 were added to r^2: an absolute constant?");
}

TEST_P(ForceDiagnosis, AnswerToAnEarlierRequest) {
  const Scene before = heavy(129), now = equal(129);
  const Reference expected = test::reference_of(now);
  const std::vector<Reference> earlier = {test::reference_of(equal(129)),
                                          test::reference_of(before)};
  expect_says(diagnose_force_numbers({now, expected, right(before), earlier}, 1e-5).at(0).sentence,
              "of an earlier request");
}

TEST_P(ForceDiagnosis, SourcesAreLostOrLoadedTwice) {
  const Scene scene = equal(129);
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto j) { return j < 128; })),
              "body 128 pulls no other body: the loop over the sources ends too early (a tail?)");
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto j) { return j < 120; })),
              "bodies 120 to 128 pull no other body: the loop over the sources ends too early");
  expect_says(diagnosis_of(scene, accelerations(scene, [](auto, auto j) { return j != 60; })),
              "body 60 pulls no other body: skipped as a source");
  expect_says(
      diagnosis_of(scene, accelerations(scene, [](auto, auto j) { return j % 64 == 0 ? 64 : 0; })),
      "body 0 pulls 64 times");
  expect_says(
      diagnosis_of(scene, accelerations(scene, [](auto, auto j) { return j == 7 ? 0.5 : 1; })),
      "body 7 pulls with 0.5 of its mass");
}

// Too many bodies for a fit of all weights.
TEST_P(ForceDiagnosis, LastSourcesOfManyAreLost) {
  for (const std::size_t held : {std::size_t{960}, std::size_t{999}}) {
    const Scene scene = equal(1000);
    expect_says(diagnosis_of(scene, accelerations(scene, [&](auto, auto j) { return j < held; })),
                "bodies from index " + std::to_string(held) + " on pull no other body");
  }
}

TEST_P(ForceDiagnosis, DigitsAreMissing) {
  const Scene scene = equal(129);
  Random random(1);
  const auto rough =
      accelerations(scene, [&](auto, auto) { return 1 + random.uniform(-1e-3, 1e-3); });
  expect_says(diagnosis_of(scene, rough), "a raw reciprocal square root");
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
