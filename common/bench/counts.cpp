#include "bench/counts.hpp"

#include <nlohmann/json.hpp>

#include "bodies/text_file.hpp"

namespace nbody::bench {

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
