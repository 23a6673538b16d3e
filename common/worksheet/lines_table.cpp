#include "worksheet/lines_table.hpp"

#include <algorithm>
#include <vector>

#include "report/table.hpp"

namespace nbody {
namespace {

using Row = std::vector<std::string>;

std::string verdict_of(const Line& line) {
  const bool told = !is_choice(line) || line.state == State::unanswered || !line.words.empty();
  const std::string name = told ? name_of(line.state) : "answered";
  if (line.words.empty()) return name;
  return name.empty() ? line.words : name + ": " + line.words;
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
  Table table(titles);
  for (const Row& row : rows) table.add_row(row);
  table.fit(100);
  return table.text();
}

}  // namespace nbody
