#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/timing.hpp"
#include "bodies/input_error.hpp"
#include "bodies/scenes.hpp"
#include "bodies/text_file.hpp"
#include "check/manifest.hpp"
#include "check/tolerance.hpp"
#include "machine/machine.hpp"
#include "report/table.hpp"

// ./lab bench: how fast is it? All implementations of a part, interleaved, at one N.

namespace {

using namespace nbody;

struct BenchOptions {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;
  std::string scene = "plummer";
  std::size_t n = 5000;
  unsigned threads = 1;
  int rounds = 7;
  bool adaptive = false;
  std::string precision = "float";
  std::string json;
};

Precision precision_of(const BenchOptions& options) {
  if (options.precision == "float") return Precision::single_precision;
  if (options.precision == "double") return Precision::double_precision;
  throw InputError(fmt::format("--precision wants float or double, not '{}'", options.precision));
}

// What was timed must be right; an exhibit that is there to be wrong says so.
std::string verdict_of(const Timing& timing, const ImplementationEntry& entry, double limit) {
  if (!timing.fault.empty()) return timing.fault;
  if (timing.error <= limit) return "right";
  return entry.expect.empty() ? "WRONG" : "wrong, as expected";
}

std::string table_of(const std::vector<Timing>& timings,
                     const std::vector<ImplementationEntry>& entries, double limit) {
  Table table({"implementation", ">10^9 interactions/s", ">spread", ">ms an iteration",
               ">x " + timings.front().name, ">x row before", ">error", "what was timed"});
  const Timing* before = nullptr;
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const Timing& timing = timings[k];
    const Statistics& rate = timing.interactions_per_second;
    const std::string verdict = verdict_of(timing, entries[k], limit);
    if (!timing.fault.empty()) {
      table.add_row({timing.name, "", "", "", "", "", "", verdict});
      continue;
    }
    table.add_row(
        {timing.name, fmt::format("{:.3f}", rate.median / 1e9),
         fmt::format("{:.0f} %", 100 * rate.spread()),
         fmt::format("{:.2f}", timing.seconds_per_step.median * 1e3),
         fmt::format("{:.2f}", rate.median / timings.front().interactions_per_second.median),
         before != nullptr
             ? fmt::format("{:.2f}", rate.median / before->interactions_per_second.median)
             : "",
         fmt::format("{:.1e}", timing.error), verdict});
    before = &timing;
  }
  return table.text();
}

std::string json_of(const BenchOptions& options, const std::vector<Timing>& timings,
                    const std::vector<ImplementationEntry>& entries) {
  nlohmann::ordered_json json = {{"what", "interactions per second, interleaved repeats"},
                                 {"part", options.part},
                                 {"cpu", cpu_name()},
                                 {"compiler", compiler_name()},
                                 {"date", date_today()},
                                 {"scene", options.scene},
                                 {"n", options.n},
                                 {"precision", options.precision},
                                 {"threads", options.threads},
                                 {"adaptive", options.adaptive},
                                 {"rounds", options.rounds}};
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const Statistics& rate = timings[k].interactions_per_second;
    json["implementations"].push_back({{"name", timings[k].name},
                                       {"flags", entries[k].flags},
                                       {"interactions_per_s_median", rate.median},
                                       {"interactions_per_s_minimum", rate.minimum},
                                       {"interactions_per_s_maximum", rate.maximum},
                                       {"interactions_per_s_lower_quartile", rate.lower_quartile},
                                       {"interactions_per_s_upper_quartile", rate.upper_quartile},
                                       {"error", timings[k].error},
                                       {"fault", timings[k].fault}});
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int bench(const BenchOptions& options) {
  std::vector<ImplementationEntry> entries;
  std::vector<TimedProgram> programs;
  for (const auto& entry : select(read_manifest(options.manifest), options.part, options.names)) {
    const std::string skipped = reason_to_skip(entry);
    if (!skipped.empty()) fmt::print("  {} skipped: {}\n", entry.name, skipped);
    if (!skipped.empty() || !std::filesystem::exists(entry.program)) continue;
    entries.push_back(entry);
    programs.push_back({entry.name, entry.program});
  }
  if (programs.empty()) throw InputError("nothing is built: run ./lab build " + options.part);
  TimingPlan plan;
  plan.scene = make_scene(options.scene, options.n, 1);
  plan.precision = precision_of(options);
  plan.adaptive = options.adaptive;
  plan.threads = options.threads;
  plan.rounds = options.rounds;
  plan.on_progress = [](const std::string& text) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r  {:70.70}\r", text);
  };
  const auto timings = time_interleaved(programs, plan);
  const double limit =
      force_limit(tolerance_named("standard", plan.precision), plan.scene.bodies.size());
  fmt::print("{}: {} bodies ({}), {}, {} step, {} thread{}, {} rounds; {}, {}\n\n{}", options.part,
             options.n, options.scene, options.precision, options.adaptive ? "adaptive" : "fixed",
             options.threads, options.threads == 1 ? "" : "s", options.rounds, cpu_name(),
             compiler_name(), table_of(timings, entries, limit));
  if (!options.json.empty()) write_text_file(options.json, json_of(options, timings, entries));
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const std::string verdict = verdict_of(timings[k], entries[k], limit);
    if (verdict != "right" && verdict != "wrong, as expected") return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  BenchOptions options;
  CLI::App app("How fast is it? Times simulator programs in turn, round by round.", "bench");
  app.add_option("part", options.part, "part1, ...")->required();
  app.add_option("name", options.names, "implementations of the part (default: all)");
  app.add_option("--manifest", options.manifest, "written by cmake (build/<preset>/manifest.json)");
  app.add_option("-n", options.n, "bodies (default 5000)")->check(CLI::Range(1, 1 << 24));
  app.add_option("--scene", options.scene, "what is simulated (default plummer)");
  app.add_option("--threads", options.threads, "default 1")->check(CLI::Range(1, 4096));
  app.add_option("--rounds", options.rounds, "repeats (default 7)")->check(CLI::Range(1, 1000));
  app.add_option("--precision", options.precision, "float (default) or double");
  app.add_flag("--vdt", options.adaptive, "adaptive time step (Eq. 7)");
  app.add_option("--json", options.json, "write the numbers to this file");
  try {
    app.parse(argc, argv);
    return bench(options);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& fault) {
    fmt::print(stderr, "bench: {}; --help lists the options\n", fault.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
  }
  return 2;
}
