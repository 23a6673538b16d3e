#include "core/run_main.hpp"

#include <gtest/gtest.h>

#include <new>

#include "core/input_error.hpp"

namespace nbody {
namespace {

TEST(RunMain, OneLineAndStatus2) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_main("program", [] { return 1; }), 1);
  EXPECT_EQ(run_main("program", []() -> int { throw InputError("two\nlines"); }), 2);
  EXPECT_EQ(run_main("program", []() -> int { throw std::bad_alloc(); }), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "program: two\\x0alines\nprogram: not enough memory: use fewer bodies (-n)\n");
}

}  // namespace
}  // namespace nbody
