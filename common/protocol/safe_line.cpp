#include "protocol/safe_line.hpp"

namespace nbody::protocol {

std::string safe_line(std::string_view text, std::size_t max_size) {
  std::string line(text.substr(0, max_size));
  for (char& letter : line) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  if (text.size() > max_size) line += "...";
  return line;
}

}  // namespace nbody::protocol
