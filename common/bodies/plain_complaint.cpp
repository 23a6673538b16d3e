#include "bodies/plain_complaint.hpp"

#include <fmt/format.h>

#include <regex>

namespace nbody {

std::string plain_complaint(const std::string& message) {
  static const std::regex missing("([^ ]+): 1 required ([^ ]+) missing");
  static const std::regex repeated("([^ ]+): At Most 1 required but received ([0-9]+)");
  std::smatch parts;
  if (std::regex_match(message, parts, missing)) {
    return fmt::format("{} needs a value: {} {}", parts.str(1), parts.str(1), parts.str(2));
  }
  if (std::regex_match(message, parts, repeated)) {
    return fmt::format("{} is there {} times: keep one", parts.str(1), parts.str(2));
  }
  return message;
}

}  // namespace nbody
