#include "check/error_measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "check/row.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using Limits = std::numeric_limits<double>;
constexpr double infinity = Limits::infinity(), nan = Limits::quiet_NaN();

class ErrorMeasure : public testing::Test {
 protected:
  const Reference reference = reference_of(make_check_scene(CheckScene::equal_masses, 129, 1));
  Vectors<double> got = reference.acceleration;
};

TEST_F(ErrorMeasure, RightAnswerHasNoError) {
  const ForceError error = force_error(reference, got);
  EXPECT_EQ(error.max, 0);
  EXPECT_EQ(error.median, 0);
  EXPECT_EQ(error.l2, 0);
}

TEST_F(ErrorMeasure, WhatIsNotFiniteIsInfinitelyWrong) {
  const Vectors<double> right = got;
  for (const std::size_t i : {std::size_t{0}, std::size_t{64}, std::size_t{128}}) {
    for (const auto axis : axes) {
      // Of the last, the difference or its square is not finite.
      for (const double value : {nan, -nan, infinity, -infinity, Limits::max()}) {
        got = right;
        (got.*axis)[i] = value;
        const ForceError error = force_error(reference, got);
        EXPECT_EQ(judged(error.max, 1e-5), Verdict::failed) << value;
        EXPECT_EQ(error.worst, i);
        EXPECT_EQ(error.median, 0);
        if (value == Limits::max()) continue;
        EXPECT_EQ(error.max, infinity) << value;
        EXPECT_EQ(error.l2, infinity);
        EXPECT_EQ(force_error_of(reference, got, i), infinity);
      }
    }
  }
}

TEST_F(ErrorMeasure, OneWrongLastBodyIsFound) {
  got.z.back() += 3e-5 * reference.magnitude.back();
  const ForceError error = force_error(reference, got);
  EXPECT_NEAR(error.max, 3e-5, 1e-12);
  EXPECT_EQ(error.worst, 128u);
  EXPECT_EQ(error.median, 0);
  EXPECT_EQ(error.got.z, got.z.back());
  EXPECT_EQ(error.expected.z, reference.acceleration.z.back());
  EXPECT_EQ(judged(error.max, 1e-5), Verdict::failed);
}

TEST_F(ErrorMeasure, ZerosAreWrong) {
  Vectors<double> zeros;
  zeros.resize(reference.magnitude.size());
  const ForceError error = force_error(reference, zeros);
  EXPECT_GT(error.max, 0.1);
  EXPECT_GT(error.median, 0.01);
}

TEST(MedianAndL2, AreOfAllBodies) {
  const Reference reference{{{1, 1, 1}, {0, 0, 0}, {0, 0, 0}}, {1, 2, 2}};
  const ForceError error = force_error(reference, {{1, 1.2, 1.6}, {0, 0, 0}, {0, 0, 0}});
  EXPECT_NEAR(error.max, 0.3, 1e-15);
  EXPECT_NEAR(error.median, 0.1, 1e-15);
  EXPECT_NEAR(error.l2, std::sqrt(0.4 / 9), 1e-15);
}

// A body that nothing pulls has an acceleration of exactly zero: no error however small is right.
TEST(ForceOutOfNothing, IsInfinitelyWrong) {
  const Reference reference{{{0}, {0}, {0}}, {0}};
  EXPECT_EQ(force_error(reference, {{0}, {-0.0}, {0}}).max, 0);
  const ForceError error = force_error(reference, {{0}, {1e-300}, {0}});
  EXPECT_EQ(error.max, infinity);
  EXPECT_EQ(error.l2, infinity);
}

// In the middle of two equal bodies the pulls cancel. What float leaves there is a rounding error
// of the pulls, and no error of 100 %.
TEST(CancelledSum, IsMeasuredOnItsTerms) {
  const Reference reference{{{1e-9}, {0}, {0}}, {2}};
  EXPECT_NEAR(force_error(reference, {{1e-7}, {0}, {0}}).max, 4.95e-8, 1e-12);
  EXPECT_EQ(judged(force_error(reference, {{1e-7}, {0}, {0}}).max, 1e-5), Verdict::passed);
  EXPECT_EQ(judged(force_error(reference, {{1e-4}, {0}, {0}}).max, 1e-5), Verdict::failed);
}

TEST(Judged, WhatIsNoNumberFails) {
  EXPECT_EQ(judged(nan, 1e-5), Verdict::failed);
  EXPECT_EQ(judged(1, nan), Verdict::failed);
  EXPECT_EQ(judged(infinity, 1e300), Verdict::failed);
  EXPECT_EQ(judged(1e-5, 1e-5), Verdict::passed);
}

TEST(Length, KeepsWhatIsNoNumber) {
  EXPECT_EQ(length(2, 3, 6), 7);
  EXPECT_EQ(length(2e-300, 3e-300, 6e-300), 7e-300);
  EXPECT_EQ(length(infinity, 0, 0), infinity);
  for (const double value : {length(nan, 0, 0), length(0, nan, 0), length(0, 0, nan)}) {
    EXPECT_TRUE(is_nan(value));
  }
}

TEST(FiniteOrNot, IsSeenInTheBits) {
  for (const double value : {0.0, -0.0, 5e-324, Limits::max()}) EXPECT_TRUE(is_finite(value));
  for (const double value : {infinity, -infinity}) {
    EXPECT_FALSE(is_finite(value) || is_nan(value)) << value;
  }
  for (const double value : {nan, -nan, Limits::signaling_NaN()}) {
    EXPECT_TRUE(is_nan(value) && !is_finite(value));
  }
}

}  // namespace
}  // namespace nbody::check
