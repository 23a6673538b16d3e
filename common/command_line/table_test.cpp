#include "command_line/table.hpp"

#include <gtest/gtest.h>

namespace nbody::command_line {
namespace {

TEST(Table, AlignsColumns) {
  Table table({"name", ">N"});
  table.add_row({"naive", "5"});
  table.add_line();
  table.add_row({"x", "1000"});
  EXPECT_EQ(table.text(1),
            " name      N\n"
            " -----  ----\n"
            " naive     5\n"
            " -----  ----\n"
            " x      1000\n");
}

TEST(Table, FillsMissingCellsAndLeavesNoTrailingBlanks) {
  Table table({"a", "b"});
  table.add_row({"1"});
  EXPECT_EQ(table.text(0), "a  b\n-  -\n1\n");
}

}  // namespace
}  // namespace nbody::command_line
