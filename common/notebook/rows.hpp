#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nbody {

// A row of the notebook's table, as it is written there.
struct NotebookRow {
  std::string number, date, name, idea;
  std::string expected, measured;  // times the speed of the row before
  std::string times_naive, rate, spread, verdict;
};

// The table is found by the line of its titles; further columns behind ours are the student's.
std::vector<NotebookRow> notebook_rows(const std::string& notebook);

// The text with one more row behind the last one, and nothing else changed. A text without a table
// gets one at its end.
std::string with_row(const std::string& notebook, const NotebookRow& row);

// The first lines of a notebook's table.
std::string empty_table();

// The row that a new one of `name` is compared with: the last right one of the same name, else the
// last right one. Right: not wrong, and with a number of times naive. Empty: the naive.
std::optional<NotebookRow> row_before(const std::vector<NotebookRow>& rows,
                                      const std::string& name);
// The one that was asked for, by the number of a row or by name (its last right row); empty for
// "naive". Throws InputError when there is none.
std::optional<NotebookRow> row_against(const std::vector<NotebookRow>& rows,
                                       const std::string& asked);

// One more than the largest number.
int next_number(const std::vector<NotebookRow>& rows);

// What a cell says: "1.43", "~1.4", "7 %" (0.07). Empty when it is no positive number.
std::optional<double> number_in(const std::string& cell);

}  // namespace nbody
