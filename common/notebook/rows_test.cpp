#include "notebook/rows.hpp"

#include <gtest/gtest.h>

#include "bodies/input_error.hpp"
#include "notebook/markdown.hpp"

namespace nbody {
namespace {

NotebookRow row_numbered(const std::string& number) {
  return {number, "2026-11-21", "mine",  "an idea", "1.50",
          "1.43", "2.10",       "0.380", "4 %",     "as expected"};
}
const std::string line_2 =
    "| 2 | 2026-11-21 | mine | an idea | 1.50 | 1.43 | 2.10 | 0.380 | 4 % | as expected |\n";

TEST(Rows, ComeBackAsWritten) {
  NotebookRow row = row_numbered("1");
  row.idea = "a | b, \\ and \\| ~ ** <b>";
  row.verdict = "wrong: | in a diagnosis";
  const auto rows = notebook_rows(with_row(empty_table(), row));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].idea, row.idea);
  EXPECT_EQ(rows[0].verdict, row.verdict);
  EXPECT_EQ(rows[0].expected, "1.50");
}

TEST(Rows, AnIdeaStaysOnItsLine) {
  NotebookRow row = row_numbered("1");
  row.idea = "two\nlines\r\nand\ta tab ";
  const std::string text = with_row(empty_table(), row);
  EXPECT_EQ(lines_of(text).size(), 3u) << text;
  EXPECT_EQ(notebook_rows(text)[0].idea, "two lines  and a tab");
}

TEST(Rows, GoBehindTheLastRowAndNothingElseChanges) {
  const std::string above =
      "# Notebook\n\nmy | own text\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n";
  const std::string table = with_row(empty_table(), row_numbered("1"));
  for (const std::string below : {"", "\nmy words\n| no | row |\n", "words at once", "\n"}) {
    EXPECT_EQ(with_row(above + table + below, row_numbered("2")), above + table + line_2 + below);
  }
}

TEST(Rows, OfAnEmptyTable) {
  EXPECT_EQ(with_row(empty_table() + "\nwords\n", row_numbered("2")),
            empty_table() + line_2 + "\nwords\n");
}

TEST(Rows, ATableWithoutALastNewline) {
  std::string table = empty_table();
  table.pop_back();
  EXPECT_EQ(with_row(table, row_numbered("2")), empty_table() + line_2);
}

TEST(Rows, ANotebookWithoutATableGetsOne) {
  EXPECT_EQ(with_row("", row_numbered("2")), "# Notebook\n\n" + empty_table() + line_2);
  EXPECT_EQ(with_row("words", row_numbered("2")), "words\n\n" + empty_table() + line_2);
  // Titles without a rule below them are no table.
  const std::string titles = lines_of(empty_table())[0];
  EXPECT_EQ(with_row(titles, row_numbered("2")), titles + "\n" + empty_table() + line_2);
}

TEST(Rows, KeepTheFilesLineEndings) {
  std::string windows;
  for (const std::string& line : lines_of("words\n" + empty_table())) {
    windows += trimmed(line) + "\r\n";
  }
  EXPECT_EQ(with_row(windows, row_numbered("2")), windows + trimmed(line_2) + "\r\n");
  EXPECT_EQ(notebook_rows(with_row(windows, row_numbered("2")))[0].verdict, "as expected");
}

TEST(Rows, AColumnOfTheStudentsOwnMayFollow) {
  const std::string table =
      "| # | date | name | idea | expected | measured | x naive | 10^9 interactions/s | spread | "
      "verdict | why |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
      "| 1 | d | mine | i | 1 | 1 | 1.5 | 0.2 | 3 % | as expected | registers |\n";
  EXPECT_EQ(with_row(table, row_numbered("2")), table + line_2);
  EXPECT_EQ(notebook_rows(table)[0].times_naive, "1.5");
}

TEST(Rows, TheRowBeforeIsTheLastRightOne) {
  EXPECT_FALSE(row_before({}, "mine"));
  NotebookRow wrong = row_numbered("2"), unmeasured = row_numbered("3");
  wrong.verdict = "wrong: it is NaN";
  unmeasured.times_naive = "-";
  EXPECT_EQ(row_before({row_numbered("1"), wrong, unmeasured}, "mine")->number, "1");
  EXPECT_EQ(row_before({wrong, row_numbered("4")}, "mine")->number, "4");
  EXPECT_FALSE(row_before({wrong}, "mine"));
}

TEST(Rows, TheRowBeforeIsOfTheSameNameIfThereIsOne) {
  NotebookRow third = row_numbered("2");
  third.name = "mine_third";
  const std::vector<NotebookRow> rows = {row_numbered("1"), third};
  EXPECT_EQ(row_before(rows, "mine")->number, "1");
  EXPECT_EQ(row_before(rows, "mine_third")->number, "2");
  EXPECT_EQ(row_before(rows, "mine_new")->number, "2");
}

TEST(Rows, AnyRightRowMayBeAskedFor) {
  NotebookRow third = row_numbered("2"), wrong = row_numbered("3");
  third.name = "mine_third";
  wrong.verdict = "wrong: it is NaN";
  const std::vector<NotebookRow> rows = {row_numbered("1"), third, wrong, row_numbered("4")};
  EXPECT_EQ(row_against(rows, "1")->number, "1");
  EXPECT_EQ(row_against(rows, "mine")->number, "4");
  EXPECT_EQ(row_against(rows, "mine_third")->number, "2");
  EXPECT_FALSE(row_against(rows, "naive"));
  EXPECT_THROW(row_against(rows, "3"), InputError);
  EXPECT_THROW(row_against(rows, "5"), InputError);
  EXPECT_THROW(row_against(rows, "nobody"), InputError);
}

TEST(Rows, NumbersGoOnFromTheLargest) {
  EXPECT_EQ(next_number({}), 1);
  EXPECT_EQ(next_number({row_numbered("7"), row_numbered("3"), row_numbered("x")}), 8);
}

TEST(Rows, NumbersInCells) {
  EXPECT_DOUBLE_EQ(number_in("1.43").value(), 1.43);
  EXPECT_DOUBLE_EQ(number_in("~0.26").value(), 0.26);
  EXPECT_DOUBLE_EQ(number_in("7 %").value(), 0.07);
  for (const char* none : {"", "-", "~", "%", "0", "-1", "nan", "1.5 x", "fast"}) {
    EXPECT_FALSE(number_in(none)) << none;
  }
}

TEST(Markdown, LinesJoinedAreTheText) {
  for (const char* text : {"", "\n", "a", "a\nb", "a\r\n\n\nb\n"}) {
    EXPECT_EQ(joined(lines_of(text)), text);
  }
}

}  // namespace
}  // namespace nbody
