#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "bodies/words.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"
#include "report/table.hpp"

namespace {

using namespace nbody;

struct CheckOptions {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;
  std::string tolerance = "standard";
  std::string precision = "float";
  std::optional<std::string> arch;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 3;
  std::size_t largest_n = 4099;
  double timeout_s = 20;
  std::string json;
  bool all_rows = false;
};

Precision precision_of(const CheckOptions& options) {
  if (options.precision == "float") return Precision::single_precision;
  if (options.precision == "double") return Precision::double_precision;
  throw InputError(fmt::format("--precision wants float or double, not '{}'", options.precision));
}

// What CLI11 lets pass: "-1" becomes a huge number, and "nan" is in every range.
void check_numbers(const CheckOptions& options) {
  constexpr std::uint64_t largest = 1'000'000'000'000'000;
  const auto demand = [](bool good, const char* option, const char* range) {
    if (!good) throw InputError(fmt::format("{} wants a number from {}", option, range));
  };
  demand(options.seed <= largest, "--seed", "0 to 10^15");
  demand(options.seeds >= 1 && options.seeds <= 1000, "--seeds", "1 to 1000");
  demand(options.largest_n >= 1 && options.largest_n <= largest, "--largest", "1 to 10^15");
  demand(options.timeout_s >= 0.01 && options.timeout_s <= 1e6, "--timeout", "0.01 to 10^6");
}

int list(const CheckOptions& options) {
  if (options.names.size() > 1) throw InputError("list takes one part at most");
  Table table({"part", "implementation", "kind", "what it is", "flags"});
  for (const auto& entry : read_manifest(options.manifest)) {
    // The checker's own test animals are listed only when asked for.
    const bool zoo = entry.kind == "honest" || entry.kind == "wrong";
    if (options.part.empty() ? zoo : entry.part != options.part) continue;
    table.add_row({entry.part, entry.name, entry.kind, entry.summary, entry.flags});
  }
  if (table.empty()) throw InputError(fmt::format("there is no part '{}'", options.part));
  fmt::print("{}", table.text(0));
  return 0;
}

// One moving line on a terminal; nothing in a file.
void show_progress(const std::string& name, const Row& row) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string text =
      fmt::format("  {} {} {} N = {}", name, row.group, row.scene, row.n).substr(0, 78);
  fmt::print(stderr, "\r{:78}\r", text);
}

// While it is waited for: a program may need its time, or never end.
void show_waiting(const std::string& name, const Request& request, double timeout_s) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string text = fmt::format("  {}: asked for N = {}, {} steps; waiting (at most {:g} s)",
                                       name, request.bodies.size(), request.steps, timeout_s);
  fmt::print(stderr, "\r{:78}\r", text.substr(0, 78));
}

CheckResult check_one(const ImplementationEntry& entry, const CheckOptions& options) {
  CheckResult result{entry, reason_to_skip(entry), {}};
  if (!result.skipped.empty()) return result;
  const Precision precision = precision_of(options);
  Subject subject(entry.program.string(), precision, tolerance_named(options.tolerance, precision),
                  options.timeout_s);
  subject.on_ask = [&](const Request& request) {
    show_waiting(entry.name, request, options.timeout_s);
  };
  Plan plan{options.seed, options.seeds, options.largest_n,
            [&](const Row& row) { show_progress(entry.name, row); }};
  result.rows = check_everything(subject, plan);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r{:78}\r", "");
  return result;
}

int check(const CheckOptions& options) {
  auto entries = select(read_manifest(options.manifest), options.part, options.names);
  if (options.arch) {
    for (auto& entry : entries) entry = for_arch(entry, *options.arch);
  }
  const Tolerance tolerance = tolerance_named(options.tolerance, precision_of(options));
  if (!options.json.empty()) demand_writable(options.json);
  fmt::print("tolerance {} ({:.0e} of sum |a_ij|), {}, seeds {} to {}\n\n", tolerance.name,
             tolerance.force, options.precision, options.seed, options.seed + options.seeds - 1);
  std::vector<CheckResult> results;
  bool good = true;
  for (const auto& entry : entries) {
    results.push_back(check_one(entry, options));
    const CheckResult& result = results.back();
    good = good && as_it_should(result);
    // Few implementations are shown in full, many by what they fail at.
    fmt::print("{}/{}: {}\n", entry.part, entry.name, verdict_of(result));
    if (entries.size() <= 4 || options.all_rows) {
      fmt::print("{}", rows_text(result.rows, options.all_rows));
    }
    fmt::print("{}\n", failure_text(result.rows));
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
  bool only_list = false;
  CLI::App app("Is it right? Judges simulator programs against a direct sum in double.", "check");
  app.add_option("part", options.part, "part1, ...; `list` lists what there is");
  app.add_option("name", options.names, "implementations of the part (default: all)");
  app.add_option("--manifest", options.manifest, "written by cmake (build/<preset>/manifest.json)");
  app.add_option("--tolerance", options.tolerance, "standard (default) or approximate");
  app.add_option("--precision", options.precision, "float (default) or double");
  app.add_option("--arch", options.arch, "the programs for sse2, avx2, ...; others are skipped");
  app.add_option("--seed", options.seed, "first seed (default 1)");
  app.add_option("--seeds", options.seeds, "how many seeds (default 3: every kind of world)");
  app.add_option("--largest", options.largest_n, "largest N of the ladder (default 4099)");
  app.add_option("--timeout", options.timeout_s, "seconds an answer may take (default 20)");
  app.add_option("--json", options.json, "write every case to this file");
  app.add_flag("-v", options.all_rows, "show every case");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ConversionError& fault) {
    // "Could not convert: --seed = x"
    const std::string text = fault.what();
    throw InputError(fmt::format("{}: write a number, for example --seed 7 or --timeout 2.5",
                                 text.substr(text.find(": ") + 2)));
  } catch (const CLI::ParseError& fault) {
    throw InputError(fmt::format("{}; --help lists the options", fault.what()));
  }
  check_numbers(options);
  if (options.part == "list") {
    only_list = true;
    options.part = options.names.empty() ? "" : options.names.front();
  }
  if (only_list) return list(options);
  if (options.part.empty()) throw InputError("which part? For example: check part1 mine");
  return check(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = parse_and_run(argc, argv);
    if (std::fflush(stdout) != 0) throw InputError("standard output cannot be written: disk full?");
    return status;
  } catch (const std::exception& error) {
    // One line, whatever was typed.
    fmt::print(stderr, "check: {}\n", printable(error.what()));
  }
  return 2;
}
