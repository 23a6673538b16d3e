#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bodies/input_error.hpp"
#include "command_line/command_line.hpp"

namespace nbody {

// `option` is named in the message: the person sees which word of his is meant.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || value < least || value > most) {
    throw InputError(
        fmt::format("{} wants a whole number from {} to {}, not '{}'", option, least, most, text));
  }
  return value;
}

double real_number(const std::string& option, const std::string& text, bool zero_allowed) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || !std::isfinite(value) || value < 0 ||
      (value == 0 && !zero_allowed)) {
    throw InputError(fmt::format("{} wants a finite number {} 0, not '{}'", option,
                                 zero_allowed ? ">=" : ">", text));
  }
  return value;
}

std::vector<std::string> words_between_commas(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace nbody
