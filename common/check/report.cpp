#include "check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "check/check_scenes.hpp"
#include "report/table.hpp"

namespace nbody {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "not finite";
}

// NaN is as wrong as can be; it would compare as nothing.
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

// Rows of one group that differ in scene and seed only, as one line with the worst of them.
struct Line {
  double error = 0, limit = 0;
  std::size_t rows = 0, failed = 0, not_run = 0;
  void add(const Row& row) {
    error = std::max(error, comparable(row.error));
    limit = row.limit;
    ++rows;
    failed += row.verdict == Verdict::failed ? 1 : 0;
    not_run += row.verdict == Verdict::not_run ? 1 : 0;
  }
  std::string verdict() const {
    if (failed > 0) return fmt::format("FAILED {} of {}", failed, rows);
    return not_run > 0 ? fmt::format("not run {} of {}", not_run, rows) : "ok";
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
  Table table(titles);
  for (auto& [n, lines] : by_size) {
    std::vector<std::string> cells = {std::to_string(n)};
    for (const CheckScene scene : check_scenes())
      cells.push_back(number(lines[name_of(scene)].error));
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
  Table table({"what", ">worst", ">limit", "verdict"});
  for (const auto& [name, line] : lines) {
    table.add_row({name, number(line.error), number(line.limit), line.verdict()});
  }
  return table.text(4);
}

std::string every_row_text(const Rows& rows) {
  Table table({"group", "scene", ">N", ">seed", ">error", ">limit", "verdict", "detail"});
  for (const Row& row : rows) {
    table.add_row({row.group, row.scene, std::to_string(row.n), std::to_string(row.seed),
                   number(row.error), number(row.limit), word(row.verdict), row.detail});
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

const Row* telling_row(const Rows& rows) {
  const Row* telling = nullptr;
  // Small systems leave several explanations; large ones, and rows without one, say less.
  const auto rank = [](const Row& row) {
    if (row.diagnosis.empty()) return 0;
    // Answers that change by themselves can look like any other mistake now and then.
    if (row.diagnosis.find("a data race") != std::string::npos) return 3;
    return row.n < 7 ? 1 : 2;
  };
  for (const Row& row : rows) {
    if (row.verdict != Verdict::failed) continue;
    if (telling == nullptr || rank(row) > rank(*telling)) telling = &row;
  }
  return telling;
}

bool as_it_should(const CheckResult& result) {
  if (!result.skipped.empty()) return true;
  if (result.entry.expect.empty()) return all_passed(result.rows);
  const Row* telling = telling_row(result.rows);
  return telling != nullptr && telling->diagnosis.find(result.entry.expect) != std::string::npos;
}

std::string verdict_of(const CheckResult& result) {
  if (!result.skipped.empty()) return "skipped: " + result.skipped;
  const bool passed = all_passed(result.rows);
  if (result.entry.expect.empty()) return passed ? "passed" : "FAILED";
  if (passed) return "PASSED, but should fail";
  return as_it_should(result) ? "fails as expected" : "FAILED, unexpected diagnosis";
}

std::string rows_text(const Rows& rows, bool all_rows) {
  if (all_rows) return every_row_text(rows);
  return forces_text(rows) + "\n" + other_groups_text(rows);
}

std::string failure_text(const Rows& rows) {
  const Row* row = telling_row(rows);
  if (row == nullptr) return "";
  const auto failed = std::count_if(rows.begin(), rows.end(),
                                    [](const Row& r) { return r.verdict == Verdict::failed; });
  std::string text = fmt::format("  {} of {} cases fail. For example {}, {}, N = {}, seed {}:\n",
                                 failed, rows.size(), row->group, row->scene, row->n, row->seed);
  text += fmt::format("    {}\n", row->detail);
  if (!row->diagnosis.empty()) text += fmt::format("  diagnosis: {}\n", row->diagnosis);
  return text;
}

std::string summary_text(const std::vector<CheckResult>& results) {
  Table table({"implementation", ">cases", ">failed", ">worst/limit", "verdict", "diagnosis"});
  for (const CheckResult& result : results) {
    const auto failed = std::count_if(result.rows.begin(), result.rows.end(), [](const Row& row) {
      return row.verdict == Verdict::failed;
    });
    const Row* telling = telling_row(result.rows);
    const double share = worst_share(result.rows);
    table.add_row({result.entry.part + "/" + result.entry.name, std::to_string(result.rows.size()),
                   std::to_string(failed),
                   result.rows.empty()     ? ""
                   : !std::isfinite(share) ? "not finite"
                   : share > 1e6           ? "> 10^6"
                                           : fmt::format("{:.2f}", share),
                   verdict_of(result), telling != nullptr ? telling->diagnosis : ""});
  }
  return table.text();
}

}  // namespace nbody
