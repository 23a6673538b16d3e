#include "core/input_error.hpp"

#include <fmt/format.h>

namespace nbody {

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~';
    result += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest = 30;
  return fmt::format("'{}'{}", printable(word.substr(0, longest)),
                     word.size() > longest ? "..." : "");
}

}  // namespace nbody
