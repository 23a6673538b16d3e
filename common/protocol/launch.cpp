#include "protocol/launch.hpp"

#include <algorithm>

namespace nbody::protocol {
namespace {
const std::string placeholder = "RANKS";
}

bool Launch::has_ranks() const {
  return std::find(words.begin(), words.end(), placeholder) != words.end();
}

std::vector<std::string> Launch::filled() const {
  std::vector<std::string> filled = words;
  std::replace(filled.begin(), filled.end(), placeholder, std::to_string(ranks));
  return filled;
}

}  // namespace nbody::protocol
