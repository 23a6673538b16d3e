#pragma once

#include <functional>
#include <string>

#include "core/input_error.hpp"

namespace nbody {

// The message of the InputError that `action` throws; "no error" if it throws none.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace nbody
