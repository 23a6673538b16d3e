#include "worksheet/true_counts.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bodies/input_error.hpp"

namespace nbody {

std::optional<TrueCounts> TrueCounts::read(const std::filesystem::path& file,
                                           const std::string& function) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  try {
    std::map<std::string, Polynomial> counts;
    const auto json = nlohmann::json::parse(in);
    for (const auto& [kind, entry] : json.at("work").at(function).items()) {
      const auto& polynomial = entry.at("polynomial");
      if (polynomial.is_null()) continue;
      counts[kind] = {polynomial.at("n2"), polynomial.at("n"), polynomial.at("1"),
                      polynomial.at("over")};
    }
    return TrueCounts(std::move(counts));
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{}: not what a count program writes; remove it", file.string()));
  }
}

std::optional<double> TrueCounts::at(const std::string& kind, double n) const {
  const auto found = counts_.find(kind);
  if (found == counts_.end()) return std::nullopt;
  return found->second.at(n);
}

}  // namespace nbody
