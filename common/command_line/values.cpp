#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bodies/input_error.hpp"
#include "command_line/command_line.hpp"

namespace nbody::command_line {

// The message names `option`, so that a person sees which word is wrong.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || value < least || value > most) {
    const std::string highest = most == UINT64_MAX ? "up" : fmt::format("to {}", most);
    throw InputError(
        fmt::format("{} needs a whole number from {} {}, not '{}'", option, least, highest, text));
  }
  return value;
}

namespace {

// NaN if the text is not a number.
double number_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  return fault == std::errc() && stop == end ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double real_number(const std::string& option, const std::string& text, bool zero_allowed) {
  const double value = number_in(text);
  if (!std::isfinite(value) || value < 0 || (value == 0 && !zero_allowed)) {
    throw InputError(fmt::format("{} needs a finite number {} 0, not '{}'", option,
                                 zero_allowed ? ">=" : ">", text));
  }
  return value;
}

double real_between(const std::string& option, const std::string& text, double least, double most) {
  const double value = number_in(text);
  if (value >= least && value <= most) return value;
  throw InputError(
      fmt::format("{} needs a number from {} to {}, not '{}'", option, least, most, text));
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

}  // namespace nbody::command_line
