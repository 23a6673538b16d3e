#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "work/polynomial.hpp"

namespace nbody {

// What a count program (common/work) counted of one function, by class: "add", "mul", "flops",
// "loads", "shared_loads" and so on. A class that is no polynomial in the number of bodies is
// absent.
class TrueCounts {
 public:
  explicit TrueCounts(std::map<std::string, Polynomial> counts) : counts_(std::move(counts)) {}

  // Nothing if there is no such file: the code was not or cannot be counted. Throws InputError if
  // the file is no count.
  static std::optional<TrueCounts> read(const std::filesystem::path& file,
                                        const std::string& function = "compute_accelerations");

  std::optional<double> at(const std::string& kind, double n) const;
  bool operator==(const TrueCounts&) const = default;

 private:
  std::map<std::string, Polynomial> counts_;
};

}  // namespace nbody
