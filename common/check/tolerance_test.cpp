#include "check/tolerance.hpp"

#include <gtest/gtest.h>

#include "core/input_error.hpp"
#include "core/test_message.hpp"

namespace nbody::check {
namespace {

constexpr Precision in_float = Precision::single_precision;
constexpr Precision in_double = Precision::double_precision;

TEST(Tolerance, IsOfTheNameInFloatAndOfItsOwnInDouble) {
  EXPECT_EQ(tolerance_named("standard", in_float).force, 1e-5);
  EXPECT_EQ(tolerance_named("approximate", in_float).force, 1e-3);
  for (const char* name : {"standard", "approximate"}) {
    EXPECT_EQ(tolerance_named(name, in_float).digits, 0x1p-24);
  }
  for (const char* name : {"standard", "approximate", "double"}) {
    EXPECT_EQ(tolerance_named(name, in_double).name, "double");
    EXPECT_EQ(tolerance_named(name, in_double).force, 1e-13);
    EXPECT_EQ(tolerance_named(name, in_double).digits, 0x1p-53);
  }
}

// Also in double, where the name does not decide: a typing mistake stays one. And double's limits
// would be 1e8 times too strict for float.
TEST(Tolerance, UnknownNameIsRefused) {
  for (const std::string name : {"", "loose", "Standard", "standard "}) {
    for (const Precision precision : {in_float, in_double}) {
      EXPECT_EQ(message_of([&] { tolerance_named(name, precision); }),
                "--tolerance '" + name + "' is unknown: choose standard or approximate");
    }
  }
  EXPECT_THROW(tolerance_named("double", in_float), InputError);
}

TEST(Tolerance, GrowsWithTheRootOfNAbove16384) {
  const Tolerance standard = tolerance_named("standard", in_float);
  for (const std::size_t n : {1, 4099, 16383, 16384}) EXPECT_EQ(force_limit(standard, n), 1e-5);
  EXPECT_GT(force_limit(standard, 16385), 1e-5);
  EXPECT_DOUBLE_EQ(force_limit(standard, 4 * 16384), 2e-5);
  EXPECT_DOUBLE_EQ(force_limit(tolerance_named("approximate", in_float), 4 * 16384), 2e-3);
}

}  // namespace
}  // namespace nbody::check
