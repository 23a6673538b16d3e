#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nbody {

// A text as words with their line numbers. `#` hides the rest of its line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  bool next();  // false at the end of the text
  std::string_view word() const { return word_; }
  // Line of the current word, counted from 1; at the end of the text, of the last word.
  std::size_t line() const { return line_; }
  // The comment after the word on the same line, trimmed; or nothing.
  std::string_view comment() const;

 private:
  void skip_to_word();

  std::string_view rest_, word_;
  std::size_t line_ = 1;
  std::size_t lines_passed_ = 0;
};

// The whole word as a decimal number, or nothing for hexadecimal, nan, inf, or what double cannot
// hold.
std::optional<double> finite_number(std::string_view word);

// For messages: in quotes, bytes outside printable ASCII as \xNN, long words cut.
std::string in_quotes(std::string_view word);
std::string printable(std::string_view text);

}  // namespace nbody
