#include "bench/report.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "machine/machine.hpp"
#include "report/table.hpp"

namespace nbody {
namespace {

double rate_of(const Timing& timing) { return timing.interactions_per_second.median; }

std::string head_text(const BenchPlan& plan, const std::string& sizes) {
  return fmt::format("{}: {} bodies ({}), {}, {} step, {} thread{}, {} rounds; {}, {}\n\n",
                     plan.part, sizes, plan.scene, plan.precision_name,
                     plan.adaptive ? "adaptive" : "fixed", plan.threads,
                     plan.threads == 1 ? "" : "s", plan.rounds, cpu_name(), compiler_name());
}

std::string table_of_one_size(const SizeResult& size,
                              const std::vector<ImplementationEntry>& entries) {
  const Timing& first = size.timings.front();
  Table table({"implementation", ">10^9 interactions/s", ">spread", ">ms an iteration",
               ">x " + first.name, ">x row before", ">error", "what was timed"});
  const Timing* before = nullptr;
  for (std::size_t k = 0; k < size.timings.size(); ++k) {
    const Timing& timing = size.timings[k];
    const std::string verdict = verdict_of(timing, entries[k], size.limit);
    if (!timing.fault.empty()) {
      table.add_row({timing.name, "", "", "", "", "", "", verdict});
      continue;
    }
    table.add_row(
        {timing.name, fmt::format("{:.3f}", rate_of(timing) / 1e9),
         fmt::format("{:.0f} %", 100 * timing.interactions_per_second.spread()),
         fmt::format("{:.2f}", timing.seconds_per_step.median * 1e3),
         first.fault.empty() ? fmt::format("{:.2f}", rate_of(timing) / rate_of(first)) : "",
         before != nullptr ? fmt::format("{:.2f}", rate_of(timing) / rate_of(*before)) : "",
         fmt::format("{:.1e}", timing.error), verdict});
    before = &timing;
  }
  return table.text();
}

// What is not right at some size, and at which; a program is usually right or wrong at all.
std::string verdict_of_row(const BenchResult& result, std::size_t row) {
  for (const SizeResult& size : result.sizes) {
    const std::string verdict = verdict_of(size.timings[row], result.entries[row], size.limit);
    if (verdict != "right") return fmt::format("N = {}: {}", size.n, verdict);
  }
  return "right";
}

// A row for each implementation, a column for each size; `cell` sees a timing and its size.
Table table_by_size(const BenchResult& result, bool with_verdict,
                    const std::function<std::string(const Timing&, const SizeResult&)>& cell) {
  std::vector<std::string> titles = {"implementation"};
  for (const SizeResult& size : result.sizes) titles.push_back(fmt::format(">N = {}", size.n));
  if (with_verdict) titles.emplace_back("what was timed");
  Table table(titles);
  for (std::size_t row = 0; row < result.entries.size(); ++row) {
    std::vector<std::string> cells = {result.entries[row].name};
    for (const SizeResult& size : result.sizes) {
      const Timing& timing = size.timings[row];
      cells.push_back(timing.fault.empty() ? cell(timing, size) : "-");
    }
    if (with_verdict) cells.push_back(verdict_of_row(result, row));
    table.add_row(cells);
  }
  return table;
}

std::string tables_of_sizes(const BenchResult& result) {
  const Table speeds = table_by_size(result, true, [](const Timing& timing, const SizeResult&) {
    return fmt::format("{:.3f}", rate_of(timing) / 1e9);
  });
  const Table ratios =
      table_by_size(result, false, [](const Timing& timing, const SizeResult& size) {
        const Timing& first = size.timings.front();
        return first.fault.empty() ? fmt::format("{:.2f}", rate_of(timing) / rate_of(first)) : "-";
      });
  return fmt::format("10^9 interactions/s\n{}\nx {}\n{}", speeds.text(),
                     result.entries.front().name, ratios.text());
}

nlohmann::ordered_json json_of(const SizeResult& size,
                               const std::vector<ImplementationEntry>& entries) {
  nlohmann::ordered_json json = {{"n", size.n}};
  for (std::size_t k = 0; k < size.timings.size(); ++k) {
    const Statistics& rate = size.timings[k].interactions_per_second;
    json["implementations"].push_back({{"name", size.timings[k].name},
                                       {"flags", entries[k].flags},
                                       {"interactions_per_s_median", rate.median},
                                       {"interactions_per_s_minimum", rate.minimum},
                                       {"interactions_per_s_maximum", rate.maximum},
                                       {"interactions_per_s_lower_quartile", rate.lower_quartile},
                                       {"interactions_per_s_upper_quartile", rate.upper_quartile},
                                       {"error", size.timings[k].error},
                                       {"fault", size.timings[k].fault}});
  }
  return json;
}

}  // namespace

std::string verdict_of(const Timing& timing, const ImplementationEntry& entry, double limit) {
  if (!timing.fault.empty()) return timing.fault;
  if (timing.error <= limit) return "right";
  return entry.expect.empty() ? "WRONG" : "wrong, as expected";
}

bool as_it_should(const BenchResult& result) {
  for (const SizeResult& size : result.sizes) {
    for (std::size_t k = 0; k < size.timings.size(); ++k) {
      const std::string verdict = verdict_of(size.timings[k], result.entries[k], size.limit);
      if (verdict != "right" && verdict != "wrong, as expected") return false;
    }
  }
  return true;
}

std::string bench_text(const BenchPlan& plan, const BenchResult& result) {
  std::string sizes;
  for (const SizeResult& size : result.sizes) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size.n);
  }
  return head_text(plan, sizes) + (result.sizes.size() == 1
                                       ? table_of_one_size(result.sizes.front(), result.entries)
                                       : tables_of_sizes(result));
}

std::string bench_json(const BenchPlan& plan, const BenchResult& result) {
  nlohmann::ordered_json json = {{"what", "interactions per second, interleaved repeats"},
                                 {"part", plan.part},
                                 {"cpu", cpu_name()},
                                 {"compiler", compiler_name()},
                                 {"date", date_today()},
                                 {"scene", plan.scene},
                                 {"precision", plan.precision_name},
                                 {"threads", plan.threads},
                                 {"adaptive", plan.adaptive},
                                 {"rounds", plan.rounds}};
  for (const SizeResult& size : result.sizes) {
    json["sizes"].push_back(json_of(size, result.entries));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace nbody
