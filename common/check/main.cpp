#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "check/case_list.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"
#include "command_line/command_line.hpp"
#include "core/input_error.hpp"
#include "core/run_main.hpp"
#include "core/text_file.hpp"

// ./lab check: judges programs, and writes what it found to a file. The tables are made of that
// (common/lab/src/nbody_lab/check/tables.py).

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
  std::uint64_t seeds = 0;  // 0: not asked for
  std::uint64_t largest_n = 0;
  double timeout_s = 20;
  std::string json;
  bool no_double = false;
  bool thorough = false;
  bool progress = false;
  std::string builder;  // ./lab, which builds the program for double
};

constexpr std::uint64_t largest = 1'000'000'000'000'000;  // seed and number of bodies
constexpr std::uint64_t thorough_seeds = 5;

// Lines for ./lab (core/run.py), which shows them.
void tell_row(const std::string& name, const Row& row, std::size_t done, std::size_t all) {
  const std::string counts = all > 0 ? fmt::format("{}/{} ", done, all) : "";
  fmt::print(stderr, "... {}{} {} {} N = {}\n", counts, name, name_of(shown_in(row)), row.scene,
             row.n);
}

// While waiting: a program may be slow, or never end.
void tell_waiting(const std::string& name, const Request& request, int waited_s, double timeout_s) {
  fmt::print(stderr, "... {}: N = {}, {} steps, {} s of at most {:g} s\n", name,
             request.bodies.size(), request.steps, waited_s, timeout_s);
}

bool saved_since(const std::filesystem::path& source, const std::filesystem::path& program) {
  std::error_code none;
  const auto saved = std::filesystem::last_write_time(source, none);
  return !none && saved > std::filesystem::last_write_time(program, none) && !none;
}

// With this process's output. Returns the exit status, or 127 if it cannot be started.
int run_and_wait(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawnp(&process, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) {
    return 127;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The program for double beside the one for float, built if a builder is given.
std::optional<ProgramEntry> double_program(const ImplementationEntry& entry,
                                           const CheckOptions& options) {
  if (options.no_double) return {};
  const auto program = program_in(entry, Precision::double_precision);
  if (!program || options.builder.empty()) return program;
  const bool is_built =
      run_and_wait({options.builder, "build", entry.part, entry.row, "--double"}) == 0;
  const auto in_float = program_in(entry, Precision::single_precision);
  const std::filesystem::path root = std::filesystem::path(options.builder).parent_path();
  if (in_float && saved_since(root / entry.source, in_float->file)) throw SavedMeanwhile();
  if (!is_built) throw NotBuilt();
  return program;
}

// `title`: of its progress.
CheckResult check_one(const ImplementationEntry& entry, const CheckOptions& options,
                      const std::string& title) {
  CheckResult result{entry, reason_to_skip(entry), {}};
  const Precision precision = precision_named(options.precision);
  const auto program = program_in(entry, precision);
  if (result.skipped.empty() && !program) {
    result.skipped = "has no program for " + options.precision;
  }
  if (!result.skipped.empty()) return result;
  Subject subject(*program, tolerance_named(options.tolerance, precision), options.timeout_s);
  subject.find_double = [&] { return double_program(entry, options); };
  Plan plan{options.seed, options.seeds, options.largest_n};
  if (options.progress) {
    subject.on_ask = [&](const Request& request, int waited_s) {
      if (waited_s > 0) tell_waiting(title, request, waited_s, options.timeout_s);
    };
    plan.on_row = [&](const Row& row, std::size_t done, std::size_t all) {
      tell_row(title, row, done, all);
    };
  }
  plan.program = entry.part + " " + entry.name;
  // Kernels on the CPU (common/cmake/on_cpu.cmake): the advice is for them, too.
  if (program->file.parent_path().filename() == entry.part + "_on_cpu") plan.program += " --on-cpu";
  plan.thorough = options.thorough;
  plan.on_left_out = [&](const std::string& what) { result.left_out.push_back(what); };
  if (!plan.thorough) {
    plan.on_left_out(fmt::format(
        "more than {} bodies, memory leaks, rare races: --thorough checks these too", many_to));
  }
  result.rows = check_everything(subject, plan);
  check_in_double(subject, plan, result.rows);
  return result;
}

int check(const CheckOptions& options) {
  auto entries = select(read_manifest(options.manifest), options.part, options.names);
  if (options.arch) {
    for (auto& entry : entries) entry = for_arch(entry, *options.arch);
  }
  const Asked asked{tolerance_named(options.tolerance, precision_named(options.precision)),
                    options.precision, options.seed, options.seeds, entries.size()};
  demand_writable(options.json);
  std::vector<CheckResult> results;
  for (const auto& entry : entries) {
    const std::string place =
        entries.size() > 1 ? fmt::format(" ({} of {})", results.size() + 1, entries.size()) : "";
    results.push_back(check_one(entry, options, entry.name + place));
  }
  write_text_file(options.json, result_json(asked, results));
  return std::all_of(results.begin(), results.end(), as_expected) ? 0 : 1;
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
  line.number("--seeds", "K", options.seeds,
              "the questions of this many seeds (default 1, thorough: 5)", 1, 1000);
  line.number("--largest", "N", options.largest_n, "skip cases of more than N bodies", 1, largest);
  line.number("--timeout", "S", options.timeout_s, "time limit per answer, s (default 20)", 0.01,
              1e6);
  line.text("--json", "FILE", options.json, "write every case to this file");
  line.flag("--no-double", options.no_double, "skip the cases in double");
  line.flag("--thorough", options.thorough,
            "takes a minute: more bodies, memory leaks, all thread counts");
  line.group("");
  line.flag("--progress", options.progress, "say on standard error which case was judged");
  line.text("--builder", "LAB", options.builder, "what builds the program for double");
  if (!line.parse(argc, argv)) return 0;
  if (options.seeds == 0) options.seeds = options.thorough ? thorough_seeds : 1;
  if (options.part.empty()) throw InputError("which part? For example: check part1 mine");
  if (options.json.empty()) {
    throw InputError("--json FILE is required: the tables are ./lab check's, made of that file");
  }
  return check(options);
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("check", [&] { return parse_and_run(argc, argv); });
}
