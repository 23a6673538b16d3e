#pragma once

#include <fmt/core.h>

#include "protocol/messages.hpp"

namespace nbody::protocol {

// Throws ProtocolError with this message unless the condition holds.
template <typename... Values>
void require(bool holds, fmt::format_string<const Values&...> message, const Values&... values) {
  if (!holds) throw ProtocolError(fmt::format(message, values...));
}

}  // namespace nbody::protocol
