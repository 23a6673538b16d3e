#include "core/words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace nbody {
namespace {

constexpr std::string_view spaces = " \t\r\n\v\f";
constexpr std::string_view word_ends = " \t\r\n\v\f#";
constexpr std::size_t longest_quoted_word = 30;

std::string_view without_spaces_around(std::string_view text) {
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

bool Words::next() {
  skip_to_word();
  if (rest_.empty()) return false;
  line_ = lines_passed_ + 1;
  word_ = rest_.substr(0, rest_.find_first_of(word_ends));
  rest_.remove_prefix(word_.size());
  return true;
}

std::string_view Words::comment() const {
  const std::string_view after = without_spaces_around(rest_.substr(0, rest_.find('\n')));
  return after.substr(0, 1) == "#" ? without_spaces_around(after.substr(1)) : std::string_view();
}

void Words::skip_to_word() {
  bool in_comment = false;
  std::size_t skipped = 0;
  for (; skipped < rest_.size(); ++skipped) {
    const char c = rest_[skipped];
    if (c == '#') in_comment = true;
    if (c == '\n') {
      in_comment = false;
      ++lines_passed_;
    }
    if (!in_comment && spaces.find(c) == std::string_view::npos) break;
  }
  rest_.remove_prefix(skipped);
}

std::optional<double> finite_number(std::string_view word) {
  // from_chars knows no plus sign; C++ streams, which wrote and read such files before, do.
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string in_quotes(std::string_view word) {
  const bool cut = word.size() > longest_quoted_word;
  return fmt::format("'{}'{}", printable(word.substr(0, longest_quoted_word)), cut ? "..." : "");
}

}  // namespace nbody
