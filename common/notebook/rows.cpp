#include "notebook/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "notebook/markdown.hpp"

namespace nbody {
namespace {

const std::vector<std::string> titles = {"#",        "date",     "name",    "idea",
                                         "expected", "measured", "x naive", "10^9 interactions/s",
                                         "spread",   "verdict"};

bool is_title_line(const std::string& line) {
  const auto cells = cells_of(line);
  return cells.size() >= titles.size() && std::equal(titles.begin(), titles.end(), cells.begin());
}

// Lines [begin, end) are the rows; begin == 0 when there is no table.
struct Place {
  std::size_t begin = 0, end = 0;
};

Place place_of_rows(const std::vector<std::string>& lines) {
  for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
    if (!is_title_line(lines[k]) || cells_of(lines[k + 1]).empty()) continue;
    std::size_t end = k + 2;
    while (end < lines.size() && !cells_of(lines[end]).empty()) ++end;
    return {k + 2, end};
  }
  return {};
}

std::string line_of(const NotebookRow& row) {
  return row_line({row.number, row.date, row.name, row.idea, row.expected, row.measured,
                   row.times_naive, row.rate, row.spread, row.verdict});
}

template <typename Wanted>
std::optional<NotebookRow> last_right_row(const std::vector<NotebookRow>& rows, Wanted wanted) {
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const bool right = row->verdict.rfind("wrong", 0) != 0 && number_in(row->times_naive);
    if (right && wanted(*row)) return *row;
  }
  return std::nullopt;
}

}  // namespace

std::vector<NotebookRow> notebook_rows(const std::string& notebook) {
  const auto lines = lines_of(notebook);
  const Place place = place_of_rows(lines);
  std::vector<NotebookRow> rows;
  for (std::size_t k = place.begin; k < place.end; ++k) {
    auto cells = cells_of(lines[k]);
    cells.resize(std::max(cells.size(), titles.size()));
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7],
                    cells[8], cells[9]});
  }
  return rows;
}

std::string with_row(const std::string& notebook, const NotebookRow& row) {
  auto lines = lines_of(notebook);
  const Place place = place_of_rows(lines);
  if (place.begin == 0) {
    const std::string gap = notebook.empty() ? "# Notebook\n\n" : "\n";
    const std::string end = !notebook.empty() && notebook.back() != '\n' ? "\n" : "";
    return notebook + end + gap + empty_table() + line_of(row) + "\n";
  }
  const std::string ending = line_ending_of(lines[place.begin - 2]);
  std::string& last = lines[place.end - 1];
  if (last.back() != '\n') last += ending;
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place.end), line_of(row) + ending);
  return joined(lines);
}

std::string empty_table() {
  std::string rule = "|";
  for (std::size_t k = 0; k < titles.size(); ++k) rule += "---|";
  return row_line(titles) + "\n" + rule + "\n";
}

std::optional<NotebookRow> row_before(const std::vector<NotebookRow>& rows,
                                      const std::string& name) {
  const auto of_name = [&](const NotebookRow& row) { return row.name == name; };
  const auto any = [](const NotebookRow&) { return true; };
  const auto same = last_right_row(rows, of_name);
  return same ? same : last_right_row(rows, any);
}

std::optional<NotebookRow> row_against(const std::vector<NotebookRow>& rows,
                                       const std::string& asked) {
  if (asked == "naive") return std::nullopt;
  const auto row = last_right_row(
      rows, [&](const NotebookRow& one) { return one.number == asked || one.name == asked; });
  if (row) return row;
  throw InputError(fmt::format("--against {}: the notebook has no right row of that number or name",
                               in_quotes(asked)));
}

int next_number(const std::vector<NotebookRow>& rows) {
  double largest = 0;
  for (const NotebookRow& row : rows) {
    largest = std::max(largest, number_in(row.number).value_or(0));
  }
  return static_cast<int>(std::min(largest, 1e6)) + 1;
}

std::optional<double> number_in(const std::string& cell) {
  std::string text = cell;
  if (!text.empty() && text.front() == '~') text.erase(0, 1);
  double factor = 1;
  if (!text.empty() && text.back() == '%') {
    factor = 0.01;
    text = trimmed(text.substr(0, text.size() - 1));
  }
  const auto number = finite_number(text);
  if (!number || !(*number > 0)) return std::nullopt;
  return *number * factor;
}

}  // namespace nbody
