#include "check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/case_tables.hpp"
#include "command_line/table.hpp"

namespace nbody::check {
namespace {

std::size_t count(const Rows& rows, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.verdict == verdict; }));
}

}  // namespace

bool as_expected(const CheckResult& result) {
  if (!result.skipped.empty()) return true;
  if (result.entry.expect.empty()) return all_passed(result.rows);
  const Row* telling = most_informative_row(result.rows);
  return telling != nullptr && telling->diagnosis.find(result.entry.expect) != std::string::npos;
}

void name_the_program(Rows& rows, const std::string& part_and_name) {
  const std::string placeholder = "PART NAME";
  for (Row& row : rows) {
    const auto at = row.diagnosis.find(placeholder);
    if (at != std::string::npos) row.diagnosis.replace(at, placeholder.size(), part_and_name);
  }
}

std::string verdict_of(const CheckResult& result) {
  if (!result.skipped.empty()) return "skipped: " + result.skipped;
  const bool passed = all_passed(result.rows);
  if (result.entry.expect.empty()) return passed ? "passed" : "FAILED";
  if (passed) return "PASSED, but should fail";
  return as_expected(result) ? "fails as expected" : "FAILED, unexpected diagnosis";
}

std::string failure_text(const Rows& rows) {
  const Row* row = most_informative_row(rows);
  if (row == nullptr) return "";
  const std::size_t not_run = count(rows, Verdict::not_run);
  std::string text = fmt::format("  {} of {} cases fail{}. For example {}, {}, N = {}, seed {}:\n",
                                 count(rows, Verdict::failed), rows.size(),
                                 not_run > 0 ? fmt::format(", {} were not run", not_run) : "",
                                 name_of(shown_in(*row)), row->scene, row->n, row->seed);
  text += fmt::format("    {}\n", row->detail);
  if (!row->diagnosis.empty()) text += fmt::format("  diagnosis: {}\n", row->diagnosis);
  return text;
}

namespace {

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
      if (row.group != Group::many_bodies || row.verdict != Verdict::passed || row.detail.empty())
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
