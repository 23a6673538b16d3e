#include "check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "check/check_scenes.hpp"
#include "command_line/table.hpp"

namespace nbody::check {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "not finite";
  return value <= 1e99 ? fmt::format("{:.1e}", value) : "> 10^99";
}

std::size_t count(const Rows& rows, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.verdict == verdict; }));
}

// NaN counts as infinitely wrong; comparisons would ignore it.
double comparable(double error) {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "ok";
    case Verdict::failed:
      return "FAILED";
    default:
      return "not run";
  }
}

// Rows of one group that differ only in scene and seed, as one line with the worst of them.
struct Line {
  double error = 0, limit = 0;
  std::size_t rows = 0, failed = 0, not_run = 0, answered = 0;
  bool not_finite = false;
  void add(const Row& row) {
    limit = std::max(limit, row.limit);
    if (row.answered) error = std::max(error, comparable(row.error));
    answered += row.answered ? 1 : 0;
    not_finite = not_finite || std::isnan(row.error);
    ++rows;
    failed += row.verdict == Verdict::failed ? 1 : 0;
    not_run += row.verdict == Verdict::not_run ? 1 : 0;
  }
  std::string verdict() const {
    const std::string others = not_run > 0 ? fmt::format(", {} not run", not_run) : "";
    if (failed > 0) return fmt::format("FAILED {} of {}{}", failed, rows, others);
    return not_run > 0 ? fmt::format("not run {} of {}", not_run, rows) : "ok";
  }
  std::string worst() const {
    if (not_finite) return "not finite";
    return answered > 0 ? number(error) : "-";
  }
};

std::string forces_text(const Rows& rows) {
  std::map<std::size_t, std::map<std::string, Line>> by_size;
  for (const Row& row : rows) {
    if (row.group != "forces") continue;
    by_size[row.n][row.scene].add(row);
    by_size[row.n][""].add(row);
  }
  if (by_size.empty()) return "";
  std::vector<std::string> titles = {">N"};
  for (const CheckScene scene : check_scenes()) titles.push_back(">" + name_of(scene));
  for (const char* title : {">limit", "verdict"}) titles.emplace_back(title);
  command_line::Table table(titles);
  for (auto& [n, lines] : by_size) {
    std::vector<std::string> cells = {std::to_string(n)};
    for (const CheckScene scene : check_scenes()) cells.push_back(lines[name_of(scene)].worst());
    cells.push_back(number(lines[""].limit));
    cells.push_back(lines[""].verdict());
    table.add_row(cells);
  }
  return "  forces: worst |a - a_ref| / sum |a_ij|\n" + table.text(4);
}

std::string other_groups_text(const Rows& rows) {
  std::vector<std::pair<std::string, Line>> lines;
  for (const Row& row : rows) {
    if (row.group == "forces") continue;
    const std::string name = row.group + ": " + row.scene;
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const auto& entry) { return entry.first == name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {name, {}});
    line->second.add(row);
  }
  if (lines.empty()) return "";
  command_line::Table table({"what", ">worst", ">limit", "verdict"});
  for (const auto& [name, line] : lines) {
    table.add_row({name, line.worst(), number(line.limit), line.verdict()});
  }
  return table.text(4);
}

std::string every_row_text(const Rows& rows) {
  command_line::Table table(
      {"group", "scene", ">N", ">seed", ">error", ">limit", "verdict", "detail"});
  for (const Row& row : rows) {
    table.add_row({row.group, row.scene, std::to_string(row.n), std::to_string(row.seed),
                   row.answered ? number(row.error) : "-", number(row.limit), word(row.verdict),
                   row.detail});
  }
  return table.text(4);
}

}  // namespace

double worst_share(const Rows& rows) {
  double worst = 0;
  for (const Row& row : rows) {
    worst = std::max(worst, row.error == 0 ? 0 : comparable(row.error / row.limit));
  }
  return worst;
}

bool as_expected(const CheckResult& result) {
  if (!result.skipped.empty()) return true;
  if (result.entry.expect.empty()) return all_passed(result.rows);
  const Row* telling = most_informative_row(result.rows);
  return telling != nullptr && telling->diagnosis.find(result.entry.expect) != std::string::npos;
}

std::string verdict_of(const CheckResult& result) {
  if (!result.skipped.empty()) return "skipped: " + result.skipped;
  const bool passed = all_passed(result.rows);
  if (result.entry.expect.empty()) return passed ? "passed" : "FAILED";
  if (passed) return "PASSED, but should fail";
  return as_expected(result) ? "fails as expected" : "FAILED, unexpected diagnosis";
}

std::string rows_text(const Rows& rows, bool all_rows) {
  if (all_rows) return every_row_text(rows);
  return forces_text(rows) + "\n" + other_groups_text(rows);
}

std::string failure_text(const Rows& rows) {
  const Row* row = most_informative_row(rows);
  if (row == nullptr) return "";
  const std::size_t not_run = count(rows, Verdict::not_run);
  std::string text = fmt::format("  {} of {} cases fail{}. For example {}, {}, N = {}, seed {}:\n",
                                 count(rows, Verdict::failed), rows.size(),
                                 not_run > 0 ? fmt::format(", {} were not run", not_run) : "",
                                 row->group, row->scene, row->n, row->seed);
  text += fmt::format("    {}\n", row->detail);
  if (!row->diagnosis.empty()) text += fmt::format("  diagnosis: {}\n", row->diagnosis);
  return text;
}

namespace {

std::string share_text(const Rows& rows) {
  if (rows.empty()) return "";
  const auto broken = [](const Row& row) { return std::isnan(row.error); };
  if (std::any_of(rows.begin(), rows.end(), broken)) return "not finite";
  const auto silent = [](const Row& row) { return !row.answered; };
  if (std::any_of(rows.begin(), rows.end(), silent)) return "no answer";
  const double share = worst_share(rows);
  return share > 1e6 ? "> 10^6" : fmt::format("{:.2f}", share);
}

// Shortens a diagnosis in a table: the full text is above, with its implementation.

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  return text.substr(0, text.find_last_of(' ', most - 4)) + " ...";
}

}  // namespace

constexpr std::size_t most_in_full = 4;

namespace {

// Remarks on passed cases, and what was not checked.
std::string notes_text(const std::vector<CheckResult>& results) {
  std::string text;
  std::set<std::string> left_out;
  for (const CheckResult& result : results) {
    const Row* worst = nullptr;
    for (const Row& row : result.rows) {
      if (row.group != "many bodies" || row.verdict != Verdict::passed || row.detail.empty())
        continue;
      if (worst == nullptr || row.error > worst->error) worst = &row;
    }
    if (worst != nullptr) {
      text += fmt::format("  {}, {}: {}\n", result.entry.name, worst->scene, worst->detail);
    }
    for (const std::string& what : result.left_out) {
      if (left_out.insert(what).second) text += fmt::format("  not checked: {}\n", what);
    }
  }
  return text;
}

}  // namespace

std::string summary_text(const std::vector<CheckResult>& results) {
  command_line::Table table(
      {"implementation", ">cases", ">failed", ">worst/limit", "verdict", "diagnosis"});
  for (const CheckResult& result : results) {
    const Row* telling = most_informative_row(result.rows);
    table.add_row({result.entry.part + "/" + result.entry.name, std::to_string(result.rows.size()),
                   std::to_string(count(result.rows, Verdict::failed)), share_text(result.rows),
                   verdict_of(result), telling != nullptr ? shortened(telling->diagnosis) : ""});
  }
  std::string text = table.text();
  if (results.size() > most_in_full) return text;
  text += notes_text(results);
  // Whole sentences at the end, where people look first.
  for (const CheckResult& result : results) {
    const Row* telling = most_informative_row(result.rows);
    if (telling == nullptr || telling->diagnosis == shortened(telling->diagnosis)) continue;
    text += fmt::format("\n{}/{}: {}\n", result.entry.part, result.entry.name, telling->diagnosis);
  }
  return text;
}

}  // namespace nbody::check
