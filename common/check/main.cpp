#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "check/case_tables.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"
#include "command_line/command_line.hpp"
#include "command_line/progress.hpp"
#include "command_line/run_main.hpp"
#include "protocol/child_process.hpp"
#include "protocol/hidden_arguments.hpp"

namespace {

using namespace nbody;
using namespace nbody::check;

struct CheckOptions {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;
  std::string tolerance = "standard";
  std::string precision = "float";
  std::optional<std::string> arch;
  std::uint64_t seed = drawn_seed();
  std::uint64_t seeds = 1;
  std::uint64_t largest_n = 0;
  double timeout_s = 20;
  std::string json;
  bool all_rows = false;
  bool no_double = false;
  bool thorough = false;
  std::string builder;   // ./lab, which builds the program for double
  bool in_full = false;  // every table is shown
};

constexpr std::uint64_t largest = 1'000'000'000'000'000;  // seed and number of bodies
constexpr std::uint64_t thorough_seeds = 5;

void show_row(const std::string& name, const Row& row) {
  command_line::show_progress(
      fmt::format("{} {} {} N = {}", name, name_of(shown_in(row)), row.scene, row.n));
}

// Shown while waiting: a program may be slow, or never end.
void show_waiting(const std::string& name, const protocol::Request& request, int waited_s,
                  double timeout_s) {
  command_line::show_progress(fmt::format("{}: N = {}, {} steps, {} s of at most {:g} s", name,
                                          request.bodies.size(), request.steps, waited_s,
                                          timeout_s));
}

// The program for double beside the one for float, built if a builder is given.
std::optional<ProgramEntry> double_program(const ImplementationEntry& entry,
                                           const CheckOptions& options) {
  if (options.no_double) return {};
  const auto program = program_in(entry, protocol::Precision::double_precision);
  if (program && !options.builder.empty() &&
      protocol::run_and_wait({options.builder, "build", entry.part, entry.row, "--double"}) != 0) {
    throw NotBuilt();
  }
  return program;
}

// What asks the same again.
std::string seeds_text(const CheckOptions& options) {
  if (options.seeds == 1) return fmt::format("--seed {}", options.seed);
  return fmt::format("--seed {} --seeds {}", options.seed, options.seeds);
}

// The tables so far, each followed by what is wrong.
void show_rows(const std::string& title, const Rows& rows, const CheckOptions& options) {
  if (!options.in_full || rows.empty()) return;
  fmt::print("{}: {}\n{}", title, all_passed(rows) ? "passed" : "FAILED",
             rows_text(rows, options.all_rows));
  std::fflush(stdout);
}

CheckResult check_one(const ImplementationEntry& entry, const CheckOptions& options) {
  CheckResult result{entry, reason_to_skip(entry), {}};
  const protocol::Precision precision = protocol::precision_named(options.precision);
  const auto program = program_in(entry, precision);
  if (result.skipped.empty() && !program) {
    result.skipped = "has no program for " + options.precision;
  }
  if (!result.skipped.empty()) return result;
  Subject subject(*program, tolerance_named(options.tolerance, precision), options.timeout_s);
  subject.find_double = [&] { return double_program(entry, options); };
  subject.on_ask = [&](const protocol::Request& request, int waited_s) {
    show_waiting(entry.name, request, waited_s, options.timeout_s);
  };
  Plan plan{options.seed, options.seeds, options.largest_n,
            [&](const Row& row) { show_row(entry.name, row); }};
  plan.program = entry.part + " " + entry.name;
  // Kernels on the CPU (common/cmake/on_cpu.cmake): the advice is for them, too.
  if (program->file.parent_path().filename() == entry.part + "_on_cpu") plan.program += " --on-cpu";
  plan.thorough = options.thorough;
  plan.on_left_out = [&](const std::string& what) { result.left_out.push_back(what); };
  if (!plan.thorough) {
    plan.on_left_out(
        "more than 9000 bodies, memory leaks, rare races: --thorough checks these too");
  }
  result.rows = check_everything(subject, plan);
  command_line::clear_progress();
  const std::string title = fmt::format("{}/{} in ", entry.part, entry.name);
  show_rows(title + options.precision, result.rows, options);
  const bool right_in_float = all_passed(result.rows);
  if (options.in_full) fmt::print("{}", failure_text(result.rows));
  const auto first_in_double = static_cast<std::ptrdiff_t>(result.rows.size());
  check_in_double(subject, plan, result.rows);
  command_line::clear_progress();
  show_rows(title + "double", {result.rows.begin() + first_in_double, result.rows.end()}, options);
  if (options.in_full && right_in_float) fmt::print("{}", failure_text(result.rows));
  return result;
}

int check(CheckOptions options) {
  auto entries = select(read_manifest(options.manifest), options.part, options.names);
  if (options.arch) {
    for (auto& entry : entries) entry = for_arch(entry, *options.arch);
  }
  const Tolerance tolerance =
      tolerance_named(options.tolerance, protocol::precision_named(options.precision));
  if (!options.json.empty()) demand_writable(options.json);
  fmt::print("tolerance {} ({:.0e} of sum |a_ij|), {}, {}\n\n", tolerance.name, tolerance.force,
             options.precision, seeds_text(options));
  // A few implementations are shown in full, many only by their failures.
  options.in_full = entries.size() <= 4 || options.all_rows;
  std::vector<CheckResult> results;
  bool good = true;
  for (const auto& entry : entries) {
    results.push_back(check_one(entry, options));
    const CheckResult& result = results.back();
    good = good && as_expected(result);
    fmt::print("{}/{}: {}\n", entry.part, entry.name, verdict_of(result));
    fmt::print("{}\n", options.in_full ? "" : failure_text(result.rows));
    std::fflush(stdout);
  }
  fmt::print("{}", summary_text(results));
  if (!options.json.empty()) {
    write_text_file(options.json,
                    json_text(results, tolerance.name, options.precision, options.seed));
  }
  return good ? 0 : 1;
}

int parse_and_run(int argc, char** argv) {
  CheckOptions options;
  command_line::CommandLine line(
      "Is it right? Judges simulator programs against a direct sum in double.", "./lab check");
  line.text("part", "", options.part, "part1, ...");
  line.words("name", "", options.names, "implementations of the part (default: all)");
  line.text("--manifest", "FILE", options.manifest,
            "written by cmake (build/<preset>/manifest.json)");
  line.text("--tolerance", "NAME", options.tolerance, "standard (default) or approximate");
  line.text("--precision", "P", options.precision, "float (default) or double");
  line.option(
      "--arch", "NAME", [&](const std::string& name) { options.arch = name; },
      "the programs for sse2, avx2, ...; others are skipped");
  line.number("--seed", "K", options.seed,
              "asks what the run with this seed asked (default: drawn)", 0, largest);
  line.number("--seeds", "K", options.seeds, "the questions of this many seeds (default 1)", 1,
              1000);
  line.number("--largest", "N", options.largest_n, "skip cases of more than N bodies", 1, largest);
  line.number("--timeout", "S", options.timeout_s, "time limit per answer, s (default 20)", 0.01,
              1e6);
  line.text("--json", "FILE", options.json, "write every case to this file");
  line.flag("--no-double", options.no_double, "skip the cases in double");
  line.flag("--thorough", options.thorough,
            "takes a minute: more bodies, memory leaks, all thread counts");
  line.flag("-v", options.all_rows, "show every kind and every case");
  line.group("");
  line.text("--builder", "LAB", options.builder, "what builds the program for double");
  if (!line.parse(argc, argv)) return 0;
  if (options.thorough && options.seeds == 1) options.seeds = thorough_seeds;
  if (options.part.empty()) throw InputError("which part? For example: check part1 mine");
  return check(options);
}

}  // namespace

int main(int argc, char** argv) {
  nbody::protocol::HiddenArguments arguments(argc, argv);
  return command_line::run_main(
      "check", [&] { return parse_and_run(arguments.count(), arguments.values()); });
}
