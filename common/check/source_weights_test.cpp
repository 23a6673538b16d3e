#include <gtest/gtest.h>

#include "bodies/random.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

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
    EXPECT_EQ(describe_source_weights(*found).sentence, "") << name_of(kind);
  }
}

// A factor of its own for each pair is no matter of sources.
TEST(SourceWeights, NoneForAnswersOfAnotherKind) {
  const Scene scene = make_check_scene(CheckScene::equal_masses, 64, 1);
  Random random(1);
  EXPECT_FALSE(
      weights_of(scene, test::accelerations(scene, [&](auto, auto) { return random.uniform(); })));
}

TEST(SourceWeights, NoneForOneBodyOrVeryMany) {
  for (const std::size_t n : {1, 131}) {
    const Scene scene = make_check_scene(CheckScene::equal_masses, n, 1);
    EXPECT_FALSE(weights_of(scene, test::right(scene)));
  }
}

TEST(SourceWeights, InWords) {
  EXPECT_EQ(describe_source_weights({1, 1.01, 0.99, 1}).sentence, "");
  EXPECT_EQ(describe_source_weights({1, 1, 1, 0}).sentence,
            "body 3 pulls no other body: the loop over the sources ends too early (a tail?)");
  EXPECT_EQ(describe_source_weights({1, 0, 0, 0}).sentence,
            "bodies 1 to 3 pull no other body: the loop over the sources ends too early (a tail?)");
  EXPECT_EQ(describe_source_weights({1, 0, 1, 0}).sentence,
            "bodies 1, 3 pull no other body: skipped as a source");
  EXPECT_EQ(describe_source_weights({0, 1, 0, 1, 0, 0, 1}).sentence,
            "bodies 0, 2, 4 and 1 more pull no other body: skipped as a source");
  EXPECT_EQ(describe_source_weights({1, 0.5, 1}).sentence, "body 1 pulls with 0.5 of its mass");
  const std::string repeated = describe_source_weights({1, 3, 0, 0}).sentence;
  EXPECT_EQ(repeated.rfind("body 1 pulls 3 times, bodies 2, 3 not at all", 0), 0u) << repeated;
}

}  // namespace
}  // namespace nbody::check
