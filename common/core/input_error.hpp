#pragma once

#include <stdexcept>
#include <string>

namespace nbody {

// Something that was typed, or read from a file, cannot be used. The message is one line that says
// what is wrong, where, and what to do. Programs print it on standard error and exit with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace nbody
