#include "work/polynomial.hpp"

#include <gtest/gtest.h>

namespace nbody::work {
namespace {

TEST(Polynomial, IsFoundFromThreeValues) {
  const auto values = [](std::int64_t n) { return 14 * n * n - 14 * n + 3; };
  const Polynomial fit = Polynomial::through(256, values(256), values(512), values(768));
  EXPECT_EQ(fit, (Polynomial{14, -14, 3, 1}));
  EXPECT_TRUE(fit.passes_through(1024, values(1024)));
  EXPECT_FALSE(fit.passes_through(1024, values(1024) + 1));
  EXPECT_FALSE(fit.passes_through(1024, values(1024) - 1));
  EXPECT_EQ(fit.at(1000), 13986003);
}

TEST(Polynomial, KeepsFractionsExact) {
  const auto pairs = [](std::int64_t n) { return n * (n - 1) / 2; };
  const Polynomial third_law = Polynomial::through(256, pairs(256), pairs(512), pairs(768));
  EXPECT_EQ(third_law, (Polynomial{1, -1, 0, 2}));
  EXPECT_TRUE(third_law.passes_through(1021, pairs(1021)));
  const auto tiles = [](std::int64_t n) { return n * n / 64 + 4 * n; };
  const Polynomial tiled = Polynomial::through(256, tiles(256), tiles(512), tiles(768));
  EXPECT_EQ(tiled.text(), "1/64 n^2 + 4 n");
  EXPECT_EQ(tiled.at(128), 768);
}

TEST(Polynomial, ReadsLikeAFormula) {
  EXPECT_EQ((Polynomial{14, -14, 0, 1}).text(), "14 n^2 - 14 n");
  EXPECT_EQ((Polynomial{1, -1, 0, 2}).text(), "1/2 n^2 - 1/2 n");
  EXPECT_EQ((Polynomial{0, 1, 1, 1}).text(), "n + 1");
  EXPECT_EQ((Polynomial{-1, 0, -7, 1}).text(), "-n^2 - 7");
  EXPECT_EQ((Polynomial{0, 0, 0, 1}).text(), "0");
}

TEST(Polynomial, SeesWhatIsNone) {
  const auto cubes = [](std::int64_t n) { return n * n * n; };
  EXPECT_FALSE(Polynomial::through(256, cubes(256), cubes(512), cubes(768))
                   .passes_through(1024, cubes(1024)));
}

}  // namespace
}  // namespace nbody::work
