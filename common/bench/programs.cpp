#include "bench/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/input_error.hpp"
#include "core/text_file.hpp"
#include "machine/machine.hpp"
#include "simulator/messages.hpp"

namespace nbody::bench {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void demand_built_for(const std::string& arch,
                      const std::vector<check::ImplementationEntry>& entries) {
  for (const auto& entry : entries) {
    if (contains(check::instruction_sets(entry), arch)) return;
  }
  throw InputError(
      fmt::format("--arch: none of these is built for {} (sse2, avx2, avx512)", in_quotes(arch)));
}

BenchProgram program_of(const BenchPlan& plan, const check::ImplementationEntry& entry,
                        const std::string& arch) {
  BenchProgram program{entry.name, entry, {}};
  if (!contains(plan.hidden_counts, entry.name)) program.counts = entry.counts;
  if (arch.empty()) return program;
  program.entry = check::for_arch(entry, arch);
  program.name = program.entry.name;
  return program;
}

bool is_built(const BenchProgram& program, const BenchPlan& plan) {
  return std::all_of(plan.precisions.begin(), plan.precisions.end(), [&](const auto& precision) {
    const auto found = check::program_in(program.entry, precision_named(precision));
    return found && std::filesystem::exists(found->file);
  });
}

// An implementation that has no instruction sets is one program, whatever --arch says.
std::vector<BenchProgram> candidates(const BenchPlan& plan,
                                     const std::vector<check::ImplementationEntry>& entries) {
  std::vector<BenchProgram> programs;
  for (const auto& entry : entries) {
    const auto archs = check::instruction_sets(entry);
    if (plan.archs.empty() || archs.empty()) programs.push_back(program_of(plan, entry, ""));
    for (const auto& arch : plan.archs) {
      if (contains(archs, arch)) programs.push_back(program_of(plan, entry, arch));
    }
  }
  return programs;
}

// A row of another part keeps its part in its name: "part1/naive".
std::vector<check::ImplementationEntry> entries_of(const BenchPlan& plan) {
  const auto manifest = check::read_manifest(plan.manifest);
  if (plan.names.empty()) return check::select(manifest, plan.part, {});
  std::vector<check::ImplementationEntry> entries;
  for (const auto& name : plan.names) {
    const std::size_t slash = name.find('/');
    const bool elsewhere = slash != std::string::npos;
    auto found = check::select(manifest, elsewhere ? name.substr(0, slash) : plan.part,
                               {elsewhere ? name.substr(slash + 1) : name});
    check::ImplementationEntry& entry = found.front();
    if (elsewhere) entry.name = name;
    const bool twice = std::any_of(entries.begin(), entries.end(),
                                   [&](const auto& other) { return other.name == entry.name; });
    if (!twice) entries.push_back(entry);
  }
  return entries;
}

}  // namespace

std::vector<BenchProgram> programs_of(const BenchPlan& plan) {
  const auto entries = entries_of(plan);
  for (const auto& arch : plan.archs) demand_built_for(arch, entries);
  std::vector<BenchProgram> programs;
  bool all_skipped = true;
  for (const auto& program : candidates(plan, entries)) {
    const std::string skipped = check::reason_to_skip(program.entry);
    if (!skipped.empty()) fmt::print("  {} skipped: {}\n", program.name, skipped);
    if (skipped.empty()) all_skipped = false;
    if (skipped.empty() && is_built(program, plan)) programs.push_back(program);
  }
  if (all_skipped) throw InputError("nothing of " + plan.part + " can run on this machine");
  if (programs.empty()) throw InputError("nothing is built: run ./lab build " + plan.part);
  return programs;
}

std::optional<double> counted_flops(const std::filesystem::path& file, std::size_t n,
                                    bool adaptive) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(read_text_file(file));
    const auto& work = json.at("work").at(adaptive ? "adaptive_step" : "fixed_step");
    const auto& polynomial = work.at("flops").at("polynomial");
    if (polynomial.is_null()) return std::nullopt;
    const auto bodies = static_cast<double>(n);
    const double a = polynomial.at("n2"), b = polynomial.at("n"), c = polynomial.at("1");
    return ((a * bodies + b) * bodies + c) / polynomial.at("over").get<double>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // a file of another version counts as missing
  }
}

}  // namespace nbody::bench
