#include "worksheet/lines_table.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "report/table.hpp"

namespace nbody {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t screen = 100, indent = 2, gap = 2, narrowest = 24;

std::string verdict_of(const Line& line) {
  const bool told = !is_choice(line) || line.state == State::unanswered || !line.words.empty();
  const std::string name = told ? name_of(line.state) : "answered";
  if (line.words.empty()) return name;
  return name.empty() ? line.words : name + ": " + line.words;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::string& last = lines.back();
    if (!last.empty() && last.size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      last += (last.empty() ? "" : " ") + word;
    }
  }
  return lines;
}

// What the other columns leave on the screen.
std::size_t width_of_last(const Row& titles, const std::vector<Row>& rows) {
  std::size_t used = indent;
  for (std::size_t column = 0; column + 1 < titles.size(); ++column) {
    std::size_t width = titles[column].size();
    for (const Row& row : rows) width = std::max(width, row[column].size());
    used += width + gap;
  }
  return used + narrowest > screen ? narrowest : screen - used;
}

void leave_out_empty_columns(Row& titles, std::vector<Row>& rows) {
  for (std::size_t column = titles.size(); column-- > 0;) {
    const auto is_empty = [&](const Row& row) { return row[column].empty(); };
    if (!std::all_of(rows.begin(), rows.end(), is_empty)) continue;
    const auto place = static_cast<std::ptrdiff_t>(column);
    titles.erase(titles.begin() + place);
    for (Row& row : rows) row.erase(row.begin() + place);
  }
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "text";
    case Kind::exact:
      return "exact";
    case Kind::follow_through:
      return "follows";
    case Kind::choice:
      return "choice";
    case Kind::recorded:
      return "recorded";
  }
  return "";
}

const char* name_of(State state) {
  switch (state) {
    case State::unanswered:
      return "";
    case State::waiting:
      return "waits";
    case State::right:
      return "right";
    case State::wrong:
      return "wrong";
    case State::noted:
      return "noted";
    case State::hidden:
      return "answered";
  }
  return "";
}

std::string table_text(const Lines& lines) {
  Row titles = {">no", "question", "kind", ">answer", "verdict"};
  std::vector<Row> rows;
  std::string number_before;
  for (const Line& line : lines) {
    rows.push_back({line.number != number_before ? line.number : "", line.question,
                    name_of(line.kind), line.answer, verdict_of(line)});
    number_before = line.number;
  }
  leave_out_empty_columns(titles, rows);
  const std::size_t width = width_of_last(titles, rows);
  Table table(titles);
  for (Row& row : rows) {
    const auto parts = wrapped(row.back(), width);
    row.back() = parts.front();
    table.add_row(row);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      Row below(titles.size());
      below.back() = parts[k];
      table.add_row(below);
    }
  }
  return table.text(indent);
}

}  // namespace nbody
