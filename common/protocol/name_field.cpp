#include <fmt/core.h>

#include <algorithm>

#include "protocol/little_endian.hpp"
#include "protocol/safe_line.hpp"

namespace nbody::protocol {
namespace {

// It appears in messages to people, and in a field of fixed size.
void check_name(std::string_view name) {
  const auto is_allowed = [](char letter) { return letter > ' ' && letter <= '~'; };
  if (name.size() > name_size) {
    throw ProtocolError(fmt::format("the name {} is too long: at most {} letters are allowed",
                                    safe_line(name), name_size));
  }
  if (!std::all_of(name.begin(), name.end(), is_allowed)) {
    throw ProtocolError(fmt::format(
        "the name '{}' holds blanks, or bytes that are not printable ASCII", safe_line(name)));
  }
}

}  // namespace

void MessageWriter::name(std::string_view name) {
  check_name(name);
  name.copy(next(name_size), name.size());
}

std::string MessageReader::name() {
  const std::string_view field = next(name_size);
  const std::string_view name = field.substr(0, field.find('\0'));
  check_name(name);
  if (field.find_last_not_of('\0') != name.size() - 1) {
    throw ProtocolError(fmt::format("bytes follow the end of the name '{}'", name));
  }
  return std::string(name);
}

}  // namespace nbody::protocol
