#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace nbody {

// Something that was typed, or read from a file, cannot be used. The message is one line that says
// what is wrong, where, and what to do. Programs print it on standard error and exit with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

// For messages: in quotes, bytes outside printable ASCII as \xNN, long words cut.
std::string in_quotes(std::string_view word);
std::string printable(std::string_view text);

}  // namespace nbody
