#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "bench/plan.hpp"
#include "bench/report.hpp"
#include "bodies/input_error.hpp"
#include "bodies/scenes.hpp"
#include "bodies/text_file.hpp"
#include "bodies/words.hpp"
#include "check/tolerance.hpp"

// ./lab bench: how fast is it? All implementations of a part, interleaved, at one N or several.

namespace {

using namespace nbody;

// Those that are built and can run here; the others are named.
std::vector<ImplementationEntry> entries_of(const BenchPlan& plan) {
  std::vector<ImplementationEntry> entries;
  for (const auto& entry : select(read_manifest(plan.manifest), plan.part, plan.names)) {
    const std::string skipped = reason_to_skip(entry);
    if (!skipped.empty()) fmt::print("  {} skipped: {}\n", entry.name, skipped);
    if (!skipped.empty() || !std::filesystem::exists(entry.program)) continue;
    entries.push_back(entry);
  }
  if (entries.empty()) throw InputError("nothing is built: run ./lab build " + plan.part);
  return entries;
}

SizeResult measured(const BenchPlan& plan, Scene scene,
                    const std::vector<ImplementationEntry>& entries) {
  const std::size_t n = scene.bodies.size();
  std::vector<TimedProgram> programs;
  for (const auto& entry : entries) programs.push_back({entry.name, entry.program});
  TimingPlan timing;
  timing.scene = std::move(scene);
  timing.precision = plan.precision;
  timing.adaptive = plan.adaptive;
  timing.threads = plan.threads;
  timing.rounds = plan.rounds;
  timing.on_progress = [n](const std::string& text) {
    if (isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r  {:70.70}\r", fmt::format("N = {}: {}", n, text));
  };
  const double limit = force_limit(tolerance_named("standard", plan.precision), n);
  return {n, limit, time_interleaved(programs, timing)};
}

int bench(const BenchPlan& plan) {
  BenchResult result{entries_of(plan), {}};
  // What cannot be made or written is refused now, and not after minutes of measuring.
  std::vector<Scene> scenes;
  for (const std::size_t n : plan.sizes) scenes.push_back(make_scene(plan.scene, n, 1));
  if (!plan.json.empty()) demand_writable(plan.json);
  for (Scene& scene : scenes) {
    result.sizes.push_back(measured(plan, std::move(scene), result.entries));
  }
  fmt::print("{}", bench_text(plan, result));
  if (!plan.json.empty()) write_text_file(plan.json, bench_json(plan, result));
  return as_it_should(result) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto plan = parse_bench_plan(argc, argv);
    const int status = plan ? bench(*plan) : 0;
    if (std::fflush(stdout) != 0) throw InputError("standard output cannot be written: disk full?");
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", printable(error.what()));
  }
  return 2;
}
