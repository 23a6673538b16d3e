#include "check/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "check/mistakes/mistake.hpp"
#include "core/input_error.hpp"
#include "core/text_file.hpp"
#include "machine/machine.hpp"

namespace nbody::check {

namespace {

constexpr int manifest_version = 2;

using nlohmann::json;

// CPU features (as in /proc/cpuinfo) that an instruction set asks for.
const std::map<std::string, std::string>& features() {
  static const std::map<std::string, std::string> of = {
      {"sse2", "sse2"},
      {"avx2", "avx2 fma"},
      {"avx512", "avx512f avx512cd avx512dq avx512bw avx512vl fma"},
      {"neon", "asimd"}};
  return of;
}

std::string features_of(const std::string& instruction_set) {
  const auto found = features().find(instruction_set);
  if (found != features().end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, of] : features()) known.push_back(name);
  throw InputError(fmt::format("unknown instruction set '{}': choose from {}", instruction_set,
                               fmt::join(known, ", ")));
}

std::string words_of(const json& list) {
  return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), " "));
}

// A program in another language may use any name; one made from a header states its implementation,
// so that an old or mixed-up file is not judged in its place.
ExpectedProgram hello_of(const ImplementationEntry& entry, const ProgramEntry& program,
                         bool has_class) {
  if (!has_class) return {program.precision, {}, {}, {}};
  return {program.precision, entry.part, entry.name, program.instruction_set};
}

// A row of the table of mistakes, which has its description and is known by a name.
void describe_mistake(ImplementationEntry& entry, const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 || arguments[0] != "--mistake") return;
  if (const Mistake* mistake = mistake_named(arguments[1])) {
    entry.summary = mistake->code;
    entry.expect = mistake->seen_as();
  }
}

using Launchers = std::map<std::string, Launch>;  // by part

Launchers launchers_in(const json& parts) {
  Launchers launchers;
  for (const json& part : parts) {
    launchers[part.at("name")] = {part.at("launcher").get<std::vector<std::string>>(),
                                  part.value("ranks", 1u)};
  }
  return launchers;
}

ImplementationEntry entry_of(const json& row, const std::filesystem::path& folder,
                             const Launchers& of_parts) {
  const auto path = [&](const json& name) { return folder / name.get<std::string>(); };
  ImplementationEntry entry{row.at("part"),
                            row.at("name"),
                            row.at("summary"),
                            row.at("kind"),
                            words_of(row.at("flags")),
                            words_of(row.at("needs")),
                            row.at("expect")};
  const auto arguments = row.at("arguments").get<std::vector<std::string>>();
  if (entry.kind == "wrong") describe_mistake(entry, arguments);
  const auto of_part = of_parts.find(entry.part);
  Launch launcher = of_part == of_parts.end() ? Launch() : of_part->second;
  if (row.contains("launcher")) row.at("launcher").get_to(launcher.words);
  for (const json& program : row.at("programs")) {
    const bool is_double = program.at("precision") == "double";
    entry.programs.push_back({is_double ? Precision::double_precision : Precision::single_precision,
                              program.at("instruction_set"), path(program.at("program"))});
    entry.programs.back().hello = hello_of(entry, entry.programs.back(), row.at("class") != "");
    entry.programs.back().arguments = arguments;
    entry.programs.back().launcher = launcher;
    entry.programs.back().holds_sums = row.value("holds_sums", false);
  }
  entry.row = entry.name;
  entry.parent = row.value("parent", "");
  entry.source = row.value("source", "");
  return entry;
}

}  // namespace

std::vector<ImplementationEntry> read_manifest(const std::filesystem::path& file) {
  std::vector<ImplementationEntry> entries;
  const std::string text = read_text_file(file);
  try {
    const json manifest = json::parse(text);
    if (manifest.at("version") == manifest_version) {
      const Launchers launchers = launchers_in(manifest.at("parts"));
      for (const json& row : manifest.at("implementations")) {
        entries.push_back(entry_of(row, file.parent_path(), launchers));
      }
    }
  } catch (const json::exception&) {
    entries.clear();
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("{}: not a manifest of the lab: configure again with cmake", file.string()));
  }
  return entries;
}

std::vector<ImplementationEntry> select(const std::vector<ImplementationEntry>& all,
                                        const std::string& part,
                                        const std::vector<std::string>& names) {
  std::vector<ImplementationEntry> of_part, selected;
  std::vector<std::string> known;
  std::set<std::string> parts, chosen;
  for (const auto& entry : all) {
    parts.insert(entry.part);
    if (entry.part != part) continue;
    of_part.push_back(entry);
    known.push_back(entry.name);
  }
  if (of_part.empty()) {
    throw InputError(
        fmt::format("there is no part '{}': choose from {}", part, fmt::join(parts, ", ")));
  }
  if (names.empty()) return of_part;
  for (const auto& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw InputError(fmt::format("{} has no implementation '{}': choose from {}", part, name,
                                   fmt::join(known, ", ")));
    }
    if (chosen.insert(name).second) {
      selected.push_back(of_part[static_cast<std::size_t>(found - known.begin())]);
    }
  }
  return selected;
}

ImplementationEntry for_arch(ImplementationEntry entry, const std::string& arch) {
  const std::string features = features_of(arch);
  std::erase_if(entry.programs,
                [&](const ProgramEntry& program) { return program.instruction_set != arch; });
  if (entry.programs.empty()) {
    entry.skip = "has no program of its own for " + arch;
    return entry;
  }
  entry.name += "_" + arch;
  entry.needs += (entry.needs.empty() ? "" : " ") + features;
  return entry;
}

std::vector<std::string> instruction_sets(const ImplementationEntry& entry) {
  std::vector<std::string> sets;
  for (const ProgramEntry& program : entry.programs) {
    const std::string& set = program.instruction_set;
    if (!set.empty() && std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  }
  return sets;
}

std::optional<ProgramEntry> program_in(const ImplementationEntry& entry, Precision precision) {
  const std::vector<std::string> sets = instruction_sets(entry);
  std::string best, missing;
  for (const std::string& set : sets) {
    if (machine::machine_has(features_of(set), missing)) best = set;
  }
  for (const ProgramEntry& program : entry.programs) {
    if (program.precision == precision && program.instruction_set == best) return program;
  }
  return std::nullopt;
}

std::string reason_to_skip(const ImplementationEntry& entry) {
  if (!entry.skip.empty()) return entry.skip;
  std::string missing;
  if (machine::machine_has(entry.needs, missing)) return "";
  return missing == "gpu" ? "needs a GPU" : "needs " + missing;
}

}  // namespace nbody::check
