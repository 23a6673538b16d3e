#include "worksheet/notebook_rows.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace nbody {
namespace {

TEST(NotebookRows, OnlyMeasuredIdeasThatWereRightCount) {
  const std::string file = testing::TempDir() + "notebook_rows_test.md";
  std::ofstream(file)
      << "| # | date | name | idea | expected | measured | x naive | rate | spread | verdict |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n"
         "| 1 | 2026-11-21 | mine | locals | 1.30 | 1.20 | 1.2 | 0.3 | 4 % | as expected |\n"
         "| 2 | 2026-11-21 | mine | crash | 1.30 | - | - | - | - | wrong: the program died |\n"
         "| 3 | 2026-11-21 | mine | soft | 1.30 | 2.27 | 2.3 | 0.4 | 4 % | wrong: softening |\n"
         "| 4 | 2026-11-21 | mine | other | 2.00 | ~1.90 | 2.3 | 0.4 | 4 % | as expected |\n"
         "\n| 1000 | 0.21 |\n| 2000 | 0.22 |\n";
  EXPECT_EQ(count_notebook_rows(file), 2);
  EXPECT_EQ(count_notebook_rows(file + ".not_there"), 0);
}

}  // namespace
}  // namespace nbody
