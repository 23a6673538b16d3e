#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/compare.hpp"
#include "command_line/table.hpp"

namespace nbody::bench {
namespace {

int most_rounds(const BenchResult& result) {
  int most = 0;
  for (const BenchRow& row : result.rows) most = std::max(most, row.rounds);
  return most;
}

std::string head_text(const BenchResult& result) {
  const BenchContext& context = result.context;
  const BenchSetup& setup = result.rows.front().setup;
  const bool one = setups_in(result).size() == 1;
  const std::string where =
      one ? fmt::format("{} bodies ({}), {}, {} thread{}", setup.n, context.scene, setup.precision,
                        setup.threads, setup.threads == 1 ? "" : "s")
          : "bodies: " + context.scene;
  const std::string on = fmt::format(
      "{}, {}{}{}", context.cpu, context.compiler,
      context.clock_hz > 0 ? fmt::format(", core at {:.2f} GHz", context.clock_hz / 1e9) : "",
      context.load > 0 ? fmt::format(", load {:.1f} before", context.load) : "");
  return fmt::format("{}: {}, {} step, {} round{}\n", context.part, where,
                     context.adaptive ? "adaptive" : "fixed", most_rounds(result),
                     most_rounds(result) == 1 ? "" : "s") +
         (context.device.empty() ? "" : command_line::paragraph(context.device, 0, 0)) +
         command_line::paragraph(on, 0, 0) + "\n";
}

std::string spread_text(const BenchRow& row) {
  return row.rounds > 1 ? fmt::format("{:.0f} %", 100 * row.rate.spread()) : "-";
}

std::string times(double ratio) { return ratio > 0 ? fmt::format("{:.2f}", ratio) : ""; }

std::string speeds_of_one_setup(const BenchResult& result) {
  command_line::Table table({"implementation", ">10^9 interactions/s", ">spread", ">ms/iteration",
                             ">x " + result.rows.front().name, ">x parent", ">error", "verdict"});
  table.fit(command_line::screen_width);
  for (const BenchRow& row : result.rows) {
    if (!row.measured()) {
      table.add_row({row.name, "", "", "", "", "", "", row.verdict});
      continue;
    }
    table.add_row({row.name, fmt::format("{:.3f}", row.judged_rate() / 1e9), spread_text(row),
                   fmt::format("{:.2f}", row.seconds.median * 1e3),
                   times(ratio_to_first(result, row)), times(ratio_to_parent(result, row)),
                   fmt::format("{:.1e}", row.error), row.verdict});
  }
  return table.text();
}

std::string work_of_one_setup(const BenchResult& result) {
  command_line::Table table({"implementation", ">flops/interaction", ">Gflop/s",
                             ">interactions/cycle, thread", ">N at 60 steps/s"});
  bool by_convention = false;
  for (const BenchRow& row : result.rows) {
    if (!row.measured()) continue;
    by_convention = by_convention || !row.flops_counted;
    table.add_row({row.name, fmt::format("{:.1f}{}", row.flops, row.flops_counted ? "" : "*"),
                   fmt::format("{:.2f}", row.judged_rate() * row.flops / 1e9),
                   row.per_cycle > 0 ? fmt::format("{:.3f}", row.per_cycle) : "",
                   std::to_string(bodies_at_60_a_second(row))});
  }
  if (table.empty()) return "";
  return "\n" + table.text() +
         (by_convention ? "\n  * not counted: 20, the convention of the literature\n" : "");
}

// What is wrong, and at which setups if not at all of them.
std::string verdict_of_row(const BenchResult& result, const std::string& name) {
  const auto setups = setups_in(result);
  for (const BenchSetup& setup : setups) {
    const BenchRow* row = find_row(result, name, setup);
    if (row != nullptr && row->verdict != "right") {
      return fmt::format("{}: {}", label_of(setup, setups), row->verdict);
    }
  }
  return "right";
}

// An implementation, and how it is launched if that was requested.
struct Launched {
  std::string name;
  Tuning tuning;
  std::string label;
};

std::vector<Launched> launches_in(const BenchResult& result) {
  std::vector<Launched> launches;
  for (const std::string& name : names_in(result)) {
    for (const BenchRow& row : result.rows) {
      const Tuning& tuning = row.setup.tuning;
      const bool known = std::any_of(launches.begin(), launches.end(), [&](const Launched& other) {
        return other.name == name && other.tuning == tuning;
      });
      if (known || row.name != name) continue;
      std::string label = name;
      if (tuning.block > 0) label += fmt::format(", block {}", tuning.block);
      if (tuning.unroll > 0) label += fmt::format(", unroll {}", tuning.unroll);
      if (tuning.ranks > 0) label += fmt::format(", ranks {}", tuning.ranks);
      launches.push_back({name, tuning, label});
    }
  }
  return launches;
}

std::vector<BenchSetup> untuned_setups_in(const BenchResult& result) {
  std::vector<BenchSetup> setups;
  for (BenchSetup setup : setups_in(result)) {
    setup.tuning = {};
    if (std::find(setups.begin(), setups.end(), setup) == setups.end()) setups.push_back(setup);
  }
  return setups;
}

// A row for each implementation and way to launch it, a column for each setup.
command_line::Table table_by_setup(const BenchResult& result, bool with_verdict,
                                   const std::function<std::string(const BenchRow&)>& text) {
  const auto setups = untuned_setups_in(result);
  std::vector<std::string> titles = {"implementation"};
  for (const BenchSetup& setup : setups) titles.push_back(">" + label_of(setup, setups));
  if (with_verdict) titles.emplace_back("verdict");
  command_line::Table table(titles);
  for (const Launched& launched : launches_in(result)) {
    std::vector<std::string> cells = {launched.label};
    for (BenchSetup setup : setups) {
      setup.tuning = launched.tuning;
      const BenchRow* row = find_row(result, launched.name, setup);
      const std::string cell = row != nullptr && row->measured() ? text(*row) : "";
      cells.push_back(cell.empty() ? "-" : cell);
    }
    if (with_verdict) cells.push_back(verdict_of_row(result, launched.name));
    table.add_row(cells);
  }
  return table;
}

std::string tables_of_setups(const BenchResult& result) {
  const auto rate = [](const BenchRow& row) {
    return fmt::format("{:.3f} ({})", row.judged_rate() / 1e9, spread_text(row));
  };
  const auto duration = [](const BenchRow& row) {
    return fmt::format("{:.4g}", row.seconds.median * 1e3);
  };
  const auto ratio = [&](const BenchRow& row) { return times(ratio_to_first(result, row)); };
  return fmt::format("10^9 interactions/s (spread)\n{}\nms per iteration\n{}\nx {}\n{}",
                     table_by_setup(result, true, rate).text(),
                     table_by_setup(result, false, duration).text(), result.rows.front().name,
                     table_by_setup(result, false, ratio).text());
}

// How the speed was taken, and what was checked in each answer.
std::string method_text(const BenchResult& result) {
  bool all_verified = true, measured = false;
  for (const BenchRow& row : result.rows) {
    all_verified = all_verified && (row.step_count_verified || !row.measured());
    measured = measured || row.measured();
  }
  if (!measured) return "";
  const TimeSpent& spent = result.context.spent;
  std::string text = "\n";
  if (spent.all > 0) {
    text += command_line::paragraph(
        fmt::format("time: {:.0f} s; timed requests {:.0f} %, warming up {:.0f} %, asking again "
                    "{:.0f} %, the rest new bodies and comparing forces",
                    spent.all, 100 * spent.timed / spent.all, 100 * spent.warming_up / spent.all,
                    100 * spent.judging / spent.all),
        2, 2);
  }
  text += command_line::paragraph(
      "speed: the median of the rounds; x: the median of the rounds' ratios, since all are timed "
      "in "
      "turn, so that it need not be the ratio of the speeds",
      2, 2);
  return text +
         command_line::paragraph(
             fmt::format(
                 "verdict: only the timed requests, each with new bodies, were checked: final "
                 "forces and motion of some bodies, {}; run ./lab check for the rest",
                 all_verified ? "and in some answers of each row that all steps were made"
                              : "but not for every row that all steps were made"),
             2, 2);
}

std::string warnings_text(const BenchResult& result) {
  std::string text;
  if (result.context.stopped) text += "  stopped before all rounds were measured\n";
  for (const BenchRow& row : result.rows) {
    if (!row.about_cores.empty()) {
      text += command_line::paragraph(fmt::format("{}: {}", row.name, row.about_cores), 2, 4);
    }
    if (!row.measured()) continue;
    if (row.rounds > 1 && row.rate.spread() > widest_spread) {
      text += fmt::format(
          "  {}: a spread of {:.0f} % is too wide to compare: try again when the machine is "
          "quiet\n",
          row.name, 100 * row.rate.spread());
    }
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

bool as_expected(const BenchResult& result) {
  return std::all_of(result.rows.begin(), result.rows.end(),
                     [](const BenchRow& row) { return row.as_expected(); });
}

std::string bench_text(const BenchResult& result) {
  const bool one = setups_in(result).size() == 1;
  return head_text(result) +
         (one ? speeds_of_one_setup(result) + work_of_one_setup(result)
              : tables_of_setups(result) + crossings_text(result)) +
         method_text(result) + warnings_text(result);
}

}  // namespace nbody::bench
