#include "bench/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"

namespace nbody::bench {
namespace {

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

template <typename Member>
bool differs(const std::vector<BenchSetup>& all, Member member) {
  return std::any_of(all.begin(), all.end(),
                     [&](const BenchSetup& setup) { return setup.*member != all.front().*member; });
}

}  // namespace

std::vector<std::string> names_in(const BenchResult& result) {
  std::vector<std::string> names;
  for (const BenchRow& row : result.rows) add_once(names, row.name);
  return names;
}

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
  if (row.round_seconds.empty()) return row.judged_rate() / other.judged_rate();  // an old file
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

double ratio_to_parent(const BenchResult& result, const BenchRow& row) {
  const BenchRow* parent = row.parent.empty() ? nullptr : find_row(result, row.parent, row.setup);
  return parent == nullptr ? 0 : ratio_between(row, *parent);
}

std::size_t bodies_at_60_a_second(const BenchRow& row) {
  return static_cast<std::size_t>(std::sqrt(row.judged_rate() / 60));
}

std::string label_of(const BenchSetup& setup, const std::vector<BenchSetup>& all) {
  const bool n = differs(all, &BenchSetup::n), threads = differs(all, &BenchSetup::threads),
             precision = differs(all, &BenchSetup::precision);
  const bool tuning = differs(all, &BenchSetup::tuning);
  const bool everything = !n && !threads && !precision && !tuning;
  std::vector<std::string> words;
  if (n || everything) words.push_back(fmt::format("N = {}", setup.n));
  if (threads || everything) {
    words.push_back(fmt::format("{} thread{}", setup.threads, setup.threads == 1 ? "" : "s"));
  }
  if (precision || everything) words.push_back(setup.precision);
  if (setup.tuning.block > 0) words.push_back(fmt::format("blocks of {}", setup.tuning.block));
  if (setup.tuning.unroll > 0) words.push_back(fmt::format("unroll {}", setup.tuning.unroll));
  return fmt::format("{}", fmt::join(words, ", "));
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

Statistics statistics_in(const Json& json) {
  return {json.at("median"), json.at("minimum"), json.at("maximum"), json.at("lower_quartile"),
          json.at("upper_quartile")};
}

Json json_of(const BenchResult& result, const BenchRow& row) {
  Json json = {{"name", row.name},
               {"flags", row.flags},
               {"n", row.setup.n},
               {"threads", row.setup.threads},
               {"precision", row.setup.precision},
               {"rounds", row.rounds},
               {"interactions_per_s", json_of(row.rate)},
               {"seconds_per_iteration", json_of(row.seconds)},
               {"flops_per_interaction", row.flops},
               {"flops_counted", row.flops_counted},
               {"flops_per_s", row.judged_rate() * row.flops},
               {"interactions_per_cycle_and_thread", row.per_cycle},
               {"bodies_at_60_per_s", bodies_at_60_a_second(row)},
               {"seconds_of_rounds", row.round_seconds},
               {"cores_of_others_in_rounds", row.round_neighbours},
               {"cores_used", row.cores},
               {"too_busy", row.too_busy},
               {"about_cores", row.about_cores},
               {"busy_machine", row.on_busy_machine()},
               {"error", row.error},
               {"limit", row.limit},
               {"writes", row.writes},
               {"step_count_verified", row.step_count_verified},
               {"verdict", row.verdict}};
  if (row.setup.tuning.block > 0) json["block"] = row.setup.tuning.block;
  if (row.setup.tuning.unroll > 0) json["unroll"] = row.setup.tuning.unroll;
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

BenchRow row_in(const Json& json) {
  BenchRow row;
  row.name = json.at("name");
  row.flags = json.at("flags");
  row.setup = {json.at("n"),
               json.at("threads"),
               json.at("precision"),
               {json.value("block", 0U), json.value("unroll", 0U), json.value("ranks", 0U)}};
  row.rounds = json.at("rounds");
  row.rate = statistics_in(json.at("interactions_per_s"));
  row.seconds = statistics_in(json.at("seconds_per_iteration"));
  row.flops = json.at("flops_per_interaction");
  row.flops_counted = json.at("flops_counted");
  row.per_cycle = json.at("interactions_per_cycle_and_thread");
  row.fastest = json.value("fastest_interactions_per_s", 0.0);
  row.round_seconds = json.value("seconds_of_rounds", std::vector<double>());
  row.round_neighbours = json.value("cores_of_others_in_rounds", std::vector<double>());
  row.cores = json.value("cores_used", 0.0);
  row.too_busy = json.value("too_busy", false);
  row.about_cores = json.value("about_cores", "");
  row.step_count_verified = json.value("step_count_verified", false);
  row.parent = json.value("parent", "");
  row.error = json.at("error");
  row.verdict = json.at("verdict");
  return row;
}

BenchContext context_in(const Json& json) {
  BenchContext context;
  context.part = json.at("part");
  context.scene = json.at("scene");
  context.adaptive = json.at("adaptive");
  context.cpu = json.at("cpu");
  context.device = json.value("device", "");
  context.device_peak = json.value("device_peak_flops_per_s", 0.0);
  context.compiler = json.at("compiler");
  context.date = json.at("day");
  context.revision = json.value("revision", "");
  context.schedule = json.value("schedule", "");
  context.clock_hz = json.value("clock_hz", 0.0);
  context.load = json.value("load_before", 0.0);
  context.stopped = json.value("stopped", false);
  return context;
}

}  // namespace

std::string result_json(const BenchResult& result, const std::string& google_json) {
  Json json = Json::parse(google_json);
  add_context(json["context"], result);
  for (const BenchRow& row : result.rows) json["summary"].push_back(json_of(result, row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

BenchResult read_result(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  try {
    const Json json = Json::parse(text);
    BenchResult result{context_in(json.at("context")), {}};
    for (const Json& row : json.at("summary")) result.rows.push_back(row_in(row));
    if (!result.rows.empty()) return result;
  } catch (const nlohmann::json::exception&) {
    // The parser's own message (which brace is missing) helps no user.
  }
  throw InputError(
      fmt::format("{}: not a result of ./lab bench: write one with --json", file.string()));
}

}  // namespace nbody::bench
