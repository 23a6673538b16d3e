#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "bench/measure.hpp"
#include "bench/result.hpp"
#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "check/error_measure.hpp"
#include "check/manifest.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"
#include "check/step_bounds.hpp"
#include "command_line/command_line.hpp"
#include "command_line/progress.hpp"
#include "command_line/run_main.hpp"
#include "command_line/table.hpp"
#include "machine/facts.hpp"
#include "machine/machine.hpp"
#include "protocol/hidden_arguments.hpp"

// ./lab demo: the whole lab at a glance. Every implementation of part 1 simulates a year of the
// solar system and a generated star cluster, is checked, and is timed.

namespace {

using namespace nbody;

constexpr std::size_t generated_bodies = 2000;
constexpr std::size_t earth = 3;  // of data/in/solar_system.dat: Sun, Mercury, Venus, Earth, ...
constexpr std::uint64_t hours_in_a_year = 8766;

struct DemoRow {
  check::ImplementationEntry entry;
  std::string skipped;
  double earth_error = 0;  // relative to its path; infinity without an answer
  check::Rows checked;
  bench::BenchRow timed;
};

double distance(const protocol::State& a, const protocol::State& b, std::size_t i) {
  return check::length(a.position.x[i] - b.position.x[i], a.position.y[i] - b.position.y[i],
                       a.position.z[i] - b.position.z[i]);
}

protocol::State reference_year(const Scene& scene) {
  Bodies<double> bodies = scene.bodies;
  for (std::uint64_t hour = 0; hour < hours_in_a_year; ++hour) {
    const Reference reference =
        reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    reference_update(bodies, reference.acceleration, scene.setting.dt);
  }
  return check::state_of({bodies, scene.setting, 0});
}

// Distance of the Earth from the reference's, relative to its path around the Sun.
double earth_error(const DemoRow& row, const Scene& scene, const protocol::State& expected) {
  const Bodies<double>& b = scene.bodies;
  const double speed = std::hypot(b.vx[earth], b.vy[earth], b.vz[earth]);
  const double way = speed * static_cast<double>(hours_in_a_year) * scene.setting.dt;
  check::Subject subject(
      check::program_in(row.entry, protocol::Precision::single_precision).value(),
      check::tolerances().front(), 60);
  protocol::Request request = subject.request_for(scene);
  request.steps = hours_in_a_year;
  try {
    return distance(subject.ask(request).states.front(), expected, earth) / way;
  } catch (const protocol::SessionError&) {
    return INFINITY;
  }
}

check::Rows checked(const DemoRow& row) {
  check::Subject subject(
      check::program_in(row.entry, protocol::Precision::single_precision).value(),
      check::tolerances().front(), 20);
  check::Plan plan;
  plan.largest_n = 1100;  // a first look
  plan.program = row.entry.part + " " + row.entry.name;
  plan.on_row = [&](const check::Row& judged) {
    command_line::show_progress(
        fmt::format("checking {}: {}, N = {}", row.entry.name, name_of(judged.group), judged.n));
  };
  return check::check_everything(subject, plan);
}

// All of them on all cores, as `bench` does it.
bench::BenchRun time_all(std::vector<DemoRow>& rows, const std::string& manifest) {
  bench::BenchPlan plan;
  plan.manifest = manifest;
  plan.part = "part1";
  plan.sizes = {generated_bodies};
  plan.threads = {machine::machine_facts().cores};
  for (const DemoRow& row : rows) {
    if (row.skipped.empty()) plan.names.push_back(row.entry.name);
  }
  bench::BenchRun run = bench::measure(plan, [] { return false; });
  for (DemoRow& row : rows) {
    const bench::BenchRow* timed =
        bench::find_row(run.result, row.entry.name, bench::setups_in(run.result).front());
    if (timed != nullptr) row.timed = *timed;
  }
  return run;
}

std::string table_of(const std::vector<DemoRow>& rows) {
  command_line::Table table({"implementation", ">10^9 interactions/s", ">spread", ">x naive",
                             ">worst error", ">limit", ">Earth off by", "verdict"});
  for (const DemoRow& row : rows) {
    if (!row.skipped.empty()) {
      table.add_row({row.entry.name, "", "", "", "", "", "", "skipped: " + row.skipped});
      continue;
    }
    const bench::Statistics& rate = row.timed.rate;
    const double limit = check::force_limit(check::tolerances().front(), generated_bodies);
    std::string verdict = check::verdict_of({row.entry, row.skipped, row.checked});
    if (!row.timed.measured()) {
      table.add_row({row.entry.name, "", "", "", "", "", "", verdict + "; not timed"});
      continue;
    }
    const double times_naive = bench::ratio_between(row.timed, rows.front().timed);
    if (verdict == "passed" && !row.timed.as_expected()) verdict = "FAILED while timed";
    table.add_row({row.entry.name, fmt::format("{:.3f}", rate.median / 1e9),
                   fmt::format("{:.0f} %", 100 * rate.spread()),
                   times_naive > 0 ? fmt::format("{:.2f}", times_naive) : "",
                   fmt::format("{:.1e}", row.timed.error), fmt::format("{:.0e}", limit),
                   fmt::format("{:.1e}", row.earth_error), verdict});
  }
  return table.text();
}

std::string notes_of(const std::vector<DemoRow>& rows) {
  std::string text;
  for (const DemoRow& row : rows) {
    if (row.timed.measured() || !row.skipped.empty()) continue;
    text += fmt::format("  {} not timed: {}\n", row.entry.name, row.timed.verdict);
  }
  if (std::any_of(rows.begin(), rows.end(),
                  [](const DemoRow& row) { return row.timed.on_busy_machine(); })) {
    text += "  the machine is busy: ratios mean little now; run again when it is quiet\n";
  }
  for (const DemoRow& row : rows) {
    const check::Row* telling = check::most_informative_row(row.checked);
    if (telling == nullptr) continue;
    text += "\n" + command_line::paragraph(
                       row.entry.name + ": " +
                           (telling->diagnosis.empty() ? telling->detail : telling->diagnosis),
                       2, 4);
  }
  return text;
}

void explain(const std::vector<DemoRow>& rows) {
  fmt::print(
      "\n  Median and middle half of interleaved repeats at N = {} (Plummer sphere, float), on\n"
      "  {}.\n"
      "  worst error   |a - a_ref| / sum |a_ij| at the end of timed requests, beside its limit\n"
      "  Earth off by  after a year of the Sun, eight planets and the Moon in steps of an hour:\n"
      "                distance to the reference's Earth, as part of the way it went\n"
      "  verdict       of {} cases: forces, exact cases, steps, adaptive step, energy, threads\n",
      generated_bodies, machine::cpu_name(), rows.front().checked.size());
  fmt::print(
      "\nWhat to do first:\n"
      "  1. ./lab run part1 naive -f data/in/8bodies.dat -i 20 -v   watch it work\n"
      "  2. read part1_standard_opti/README.md                      the exercise\n"
      "  3. edit part1_standard_opti/mine.hpp                       your version\n"
      "  4. ./lab check part1 mine                                  is it still right?\n");
}

int demo(const std::string& manifest, const std::string& data, const std::string& json) {
  const Scene solar = read_body_file(std::filesystem::path(data) / "solar_system.dat");
  std::vector<DemoRow> rows;
  for (const auto& entry : check::select(check::read_manifest(manifest), "part1", {})) {
    DemoRow row{entry, check::reason_to_skip(entry), 0, {}, {}};
    // The others still run if a student's header did not compile.
    if (row.skipped.empty() && !std::filesystem::exists(entry.program)) row.skipped = "not built";
    rows.push_back(row);
  }
  if (rows.front().entry.kind != "naive" || !rows.front().skipped.empty()) {
    throw InputError("the naive simulator of part 1 is not built: run ./lab build part1");
  }
  const protocol::State expected = reference_year(solar);
  bool good = true;
  for (DemoRow& row : rows) {
    if (!row.skipped.empty()) continue;
    command_line::show_progress("a year of the solar system: " + row.entry.name);
    row.earth_error = earth_error(row, solar, expected);
    row.checked = checked(row);
    good = good && check::as_expected({row.entry, "", row.checked});
  }
  const bench::BenchRun run = time_all(rows, manifest);
  fmt::print("All-pairs gravity, part 1\n\n{}{}", table_of(rows), notes_of(rows));
  explain(rows);
  if (!json.empty()) write_text_file(json, bench::result_json(run.result, run.google_json));
  return good ? 0 : 1;
}

int parse_and_show(int argc, char** argv) {
  std::string manifest = "build/release/manifest.json", data = "data/in", json;
  command_line::CommandLine line("The main job at a glance: runs, checks and times part 1.",
                                 "demo");
  line.text("--manifest", "FILE", manifest, "written by cmake (build/<preset>/manifest.json)");
  line.text("--data", "FOLDER", data, "where the body files are (default data/in)");
  line.text("--json", "FILE", json, "write the timings, as bench --json does");
  return line.parse(argc, argv) ? demo(manifest, data, json) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  nbody::protocol::HiddenArguments arguments(argc, argv);
  return command_line::run_main(
      "demo", [&] { return parse_and_show(arguments.count(), arguments.values()); });
}
