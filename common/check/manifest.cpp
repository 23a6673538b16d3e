#include "check/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "machine/machine.hpp"
#include "simulator/launcher.hpp"

namespace nbody {

std::vector<ImplementationEntry> read_manifest(const std::filesystem::path& file) {
  std::vector<ImplementationEntry> entries;
  const std::string text = read_text_file(file);
  try {
    for (const auto& row : nlohmann::json::parse(text)) {
      entries.push_back({row.at("part"), row.at("name"), row.at("summary"), row.at("kind"),
                         row.at("flags"), row.at("needs"), row.at("expect"),
                         file.parent_path() / row.at("program").get<std::string>(),
                         row.value("archs", ""), ""});
    }
  } catch (const nlohmann::json::exception&) {
    entries.clear();
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("{}: no manifest of the lab: configure again with cmake", file.string()));
  }
  return entries;
}

std::vector<ImplementationEntry> select(const std::vector<ImplementationEntry>& all,
                                        const std::string& part,
                                        const std::vector<std::string>& names) {
  std::vector<ImplementationEntry> of_part, selected;
  std::set<std::string> parts;
  for (const auto& entry : all) {
    parts.insert(entry.part);
    if (entry.part == part) of_part.push_back(entry);
  }
  if (of_part.empty()) {
    throw InputError(
        fmt::format("there is no part '{}': choose from {}", part, fmt::join(parts, ", ")));
  }
  if (names.empty()) return of_part;
  for (const auto& name : names) {
    const auto found = std::find_if(of_part.begin(), of_part.end(),
                                    [&](const auto& entry) { return entry.name == name; });
    if (found == of_part.end()) {
      std::vector<std::string> known;
      for (const auto& entry : of_part) known.push_back(entry.name);
      throw InputError(fmt::format("{} has no implementation '{}': choose from {}", part, name,
                                   fmt::join(known, ", ")));
    }
    const bool twice = std::any_of(selected.begin(), selected.end(),
                                   [&](const auto& entry) { return entry.name == name; });
    if (!twice) selected.push_back(*found);
  }
  return selected;
}

ImplementationEntry for_arch(ImplementationEntry entry, const std::string& arch) {
  const std::string features = features_of(arch);
  if ((" " + entry.archs + " ").find(" " + arch + " ") == std::string::npos) {
    entry.skip = "has no program of its own for " + arch;
    return entry;
  }
  entry.name += "_" + arch;
  entry.program += "_" + arch;
  entry.needs += (entry.needs.empty() ? "" : " ") + features;
  return entry;
}

std::string reason_to_skip(const ImplementationEntry& entry) {
  if (!entry.skip.empty()) return entry.skip;
  std::string missing;
  if (machine_has(entry.needs, missing)) return "";
  return missing == "gpu" ? "needs a GPU" : "needs " + missing;
}

}  // namespace nbody
