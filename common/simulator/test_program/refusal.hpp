#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "simulator/test_program/command.hpp"

namespace nbody {

// One line on standard error that holds `fragment`, status 2, nothing on standard output.
inline void expect_refused(const Outcome& outcome, const std::string& fragment) {
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with('\n')) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("plain: ")) << outcome.err;
  EXPECT_NE(outcome.err.find(fragment), std::string::npos) << outcome.err << "lacks " << fragment;
}

}  // namespace nbody
