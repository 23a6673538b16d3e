#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "machine/rows.hpp"

// bin/ceilings_SET: how fast this processor is with one instruction set, one row of JSON per line.
// ./lab runs one after another (common/lab/src/nbody_lab/measure/ceilings.py): a processor may
// clock lower in a program that uses wide vectors.

namespace {

using namespace nbody;
using namespace nbody::machine;

// Of a row: "flops fma  double 2", "bandwidth load L2  1".
bool is_meant(const nlohmann::ordered_json& row, const std::string& words) {
  std::set<std::string> known;
  for (const char* key : {"kind", "operation", "level", "precision"}) known.insert(row[key]);
  known.insert(std::to_string(row["threads"].get<int>()));
  std::istringstream wanted(words);
  return std::all_of(std::istream_iterator<std::string>(wanted), {},
                     [&](const std::string& word) { return known.count(word) > 0; });
}

void measure(PlannedRow& planned) {
  const Rate rate = planned.measure();
  planned.row["best"] = rate.best;
  planned.row["median"] = rate.median;
  planned.row["spread"] = rate.spread;
  fmt::print("{}\n", planned.row.dump());
  std::fflush(stdout);
}

int parse_and_measure(int argc, char** argv) {
  Budget budget;
  bool all_levels = false, count = false;
  std::string only;
  command_line::CommandLine line("How fast this processor is with one instruction set.",
                                 "ceilings");
  line.flag("--all-levels", all_levels, "also measure L2, L3 and memory");
  line.flag("--count", count, "print the number of rows and stop");
  line.text("--only", "WORDS", only, "rows that have all of these: \"flops fma double 1\"");
  const auto seconds = [&](const std::string& text) {
    budget.measured = command_line::real_number("--seconds", text, false);
  };
  line.option("--seconds", "S", seconds, "seconds per row (default 0.3)");
  if (!line.parse(argc, argv)) return 0;
  budget.warm_up = std::min(budget.warm_up, budget.measured);
  std::vector<PlannedRow> rows = planned_rows(all_levels, budget);
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const PlannedRow& each) { return !is_meant(each.row, only); }),
             rows.end());
  if (count) {
    fmt::print("{}\n", rows.size());
    return 0;
  }
  // Clock and power settle slowly: the first row is measured again.
  if (!rows.empty() && budget.measured >= Budget().measured) rows.front().measure();
  for (PlannedRow& row : rows) measure(row);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_main("ceilings", [&] { return parse_and_measure(argc, argv); });
}
