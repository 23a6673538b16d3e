#include "check/case_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "command_line/table.hpp"

namespace nbody::check {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "not finite";
  return value <= 1e99 ? fmt::format("{:.1e}", value) : "> 10^99";
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

// The rows with the same key, in the order in which these first appear.
template <typename Key>
auto grouped_by(Key key, const Rows& rows) {
  std::vector<std::pair<decltype(key(rows.front())), Rows>> parts;
  for (const Row& row : rows) {
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const auto& entry) { return entry.first == key(row); });
    if (part == parts.end()) part = parts.insert(parts.end(), {key(row), {}});
    part->second.push_back(row);
  }
  return parts;
}

std::string scene_of(const Row& row) { return row.scene; }

Line line_of(const Rows& rows) {
  Line line;
  for (const Row& row : rows) line.add(row);
  return line;
}

std::string groups_text(const Rows& rows) {
  command_line::Table table({"what", ">cases", ">worst/limit", "verdict"});
  for (const auto& [group, of_group] : grouped_by(shown_in, rows)) {
    table.add_row({name_of(group), std::to_string(of_group.size()), share_text(of_group),
                   line_of(of_group).verdict()});
  }
  return table.text(4);
}

// Every kind of case; or a few of each group that are not ok.
std::string kinds_text(const Rows& rows, bool all) {
  const std::size_t most = all ? rows.size() : 3;
  command_line::Table table({"what", ">worst", ">limit", "verdict"});
  for (const auto& [group, of_group] : grouped_by(shown_in, rows)) {
    std::size_t shown = 0;
    for (const auto& [scene, of_scene] : grouped_by(scene_of, of_group)) {
      if (!all && all_passed(of_scene)) continue;
      if (++shown > most) continue;
      const Line line = line_of(of_scene);
      table.add_row(
          {name_of(group) + ": " + scene, line.worst(), number(line.limit), line.verdict()});
    }
    if (shown > most)
      table.add_row({fmt::format("{}: {} more (-v)", name_of(group), shown - most)});
  }
  return table.empty() ? "" : table.text(4);
}

bool all_passed_in(const Rows& rows, Group group) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return row.group != group || row.verdict == Verdict::passed;
  });
}

std::string every_row_text(const Rows& rows) {
  command_line::Table table(
      {"group", "scene", ">N", ">seed", ">error", ">limit", "verdict", "detail"});
  for (const Row& row : rows) {
    table.add_row({name_of(shown_in(row)), row.scene, std::to_string(row.n),
                   std::to_string(row.seed), row.answered ? number(row.error) : "-",
                   number(row.limit), word(row.verdict), row.detail});
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

std::string share_text(const Rows& rows) {
  if (rows.empty()) return "";
  const auto broken = [](const Row& row) { return std::isnan(row.error); };
  if (std::any_of(rows.begin(), rows.end(), broken)) return "not finite";
  const auto silent = [](const Row& row) { return !row.answered; };
  if (std::any_of(rows.begin(), rows.end(), silent)) return "no answer";
  const double share = worst_share(rows);
  return share > 1e6 ? "> 10^6" : fmt::format("{:.2f}", share);
}

std::string rows_text(const Rows& rows, bool all_rows) {
  std::string text = groups_text(rows);
  const auto add = [&text](const std::string& table) {
    if (!table.empty()) text += "\n" + table;
  };
  // If forces are wrong, most of what else fails follows from them.
  Rows shown;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(shown), [&](const Row& row) {
    return all_rows || row.group == rows.front().group || all_passed_in(rows, Group::forces);
  });
  add(kinds_text(shown, all_rows));
  if (all_rows) add(every_row_text(rows));
  return text;
}

}  // namespace nbody::check
