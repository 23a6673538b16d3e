#include "bench/result.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nbody::bench {
namespace {

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

}  // namespace

std::vector<BenchSetup> setups_in(const BenchResult& result) {
  std::vector<BenchSetup> setups;
  for (const BenchRow& row : result.rows) add_once(setups, row.setup);
  return setups;
}

const BenchRow* find_row(const BenchResult& result, const std::string& name,
                         const BenchSetup& setup) {
  for (const BenchRow& row : result.rows) {
    if (row.name == name && row.setup == setup) return &row;
  }
  return nullptr;
}

double ratio_between(const BenchRow& row, const BenchRow& other) {
  if (!row.measured() || !other.measured()) return 0;
  const std::vector<double> ratios = ratios_of_rounds(
      {row.round_seconds, row.round_neighbours}, {other.round_seconds, other.round_neighbours});
  const std::size_t both = std::min(row.round_seconds.size(), other.round_seconds.size());
  return 2 * ratios.size() > both ? statistics_of(ratios).median : 0;
}

double ratio_to_first(const BenchResult& result, const BenchRow& row) {
  BenchSetup setup = row.setup;
  setup.tuning = result.rows.front().setup.tuning;
  const BenchRow* first = find_row(result, result.rows.front().name, setup);
  return first == nullptr ? 0 : ratio_between(row, *first);
}

bool as_expected(const BenchResult& result) {
  return std::all_of(result.rows.begin(), result.rows.end(),
                     [](const BenchRow& row) { return row.as_expected(); });
}

std::size_t bodies_at_60_a_second(const BenchRow& row) {
  return static_cast<std::size_t>(std::sqrt(row.rate.median / 60));
}

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Statistics& statistics) {
  return {{"median", statistics.median},
          {"minimum", statistics.minimum},
          {"maximum", statistics.maximum},
          {"lower_quartile", statistics.lower_quartile},
          {"upper_quartile", statistics.upper_quartile}};
}

const char* word_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::right:
      return "right";
    case Outcome::wrong:
      return "wrong";
    case Outcome::wrong_as_expected:
      return "wrong as expected";
    case Outcome::late:
      return "late";
    case Outcome::busy:
      return "busy";
    case Outcome::failed:
      break;
  }
  return "failed";
}

Json json_of(const BenchResult& result, const BenchRow& row) {
  Json json = {{"name", row.name},
               {"kind", row.kind},
               {"flags", row.flags},
               {"n", row.setup.n},
               {"threads", row.setup.threads},
               {"precision", row.setup.precision},
               {"rounds", row.rounds},
               {"interactions_per_s", json_of(row.rate)},
               {"seconds_per_iteration", json_of(row.seconds)},
               {"flops_per_interaction", row.flops},
               {"flops_counted", row.flops_counted},
               {"flops_per_s", row.rate.median * row.flops},
               {"bodies_at_60_per_s", bodies_at_60_a_second(row)},
               {"seconds_of_rounds", row.round_seconds},
               {"cores_of_others_in_rounds", row.round_neighbours},
               {"cores_used", row.cores},
               {"about_cores", row.about_cores},
               {"busy_machine", row.on_busy_machine()},
               {"error", row.error},
               {"limit", row.limit},
               {"writes", row.writes},
               {"step_count_verified", row.step_count_verified},
               {"outcome", word_for(row.outcome)},
               {"verdict", row.verdict}};
  if (row.setup.tuning.block > 0) json["block"] = row.setup.tuning.block;
  if (row.setup.tuning.unroll > 0) json["unroll"] = row.setup.tuning.unroll;
  if (row.setup.tuning.grid > 0) json["grid"] = row.setup.tuning.grid;
  if (row.setup.tuning.ranks > 0) json["ranks"] = row.setup.tuning.ranks;
  if (!row.parent.empty()) json["parent"] = row.parent;
  json["ratio_to_" + result.rows.front().name] = ratio_to_first(result, row);
  return json;
}

void add_context(Json& context, const BenchResult& result) {
  const BenchContext& ours = result.context;
  context.erase("host_name");
  context["executable"] = "bench";
  context["what"] = "interactions per second of whole programs, timed from outside";
  context["part"] = ours.part;
  context["scene"] = ours.scene;
  context["adaptive"] = ours.adaptive;
  context["cpu"] = ours.cpu;
  if (!ours.device.empty()) context["device"] = ours.device;
  if (ours.device_peak > 0) context["device_peak_flops_per_s"] = ours.device_peak;
  context["compiler"] = ours.compiler;
  context["day"] = ours.date;
  context["revision"] = ours.revision;
  context["schedule"] = ours.schedule;
  context["clock_hz"] = ours.clock_hz;
  context["load_before"] = ours.load;
  context["stopped"] = ours.stopped;
  context["seconds_spent"] = {{"all", ours.spent.all},
                              {"warming_up", ours.spent.warming_up},
                              {"timed", ours.spent.timed},
                              {"judging", ours.spent.judging}};
  for (const BenchRow& row : result.rows) context["flags"][row.name] = row.flags;
  for (const BenchSetup& setup : setups_in(result)) context["threads"].push_back(setup.threads);
}

}  // namespace

std::string result_json(const BenchResult& result, const std::string& google_json) {
  Json json = Json::parse(google_json);
  add_context(json["context"], result);
  for (const BenchRow& row : result.rows) json["summary"].push_back(json_of(result, row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nbody::bench
