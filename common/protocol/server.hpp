#pragma once

#include <functional>

#include "protocol/messages.hpp"

namespace nbody {

// Answers requests from standard input on standard output until the input ends. Descriptors 0 and
// 1 are moved away first, so that whatever the simulator prints goes to standard error and harms
// nothing. An exception of the handler becomes a refusal. Returns the exit status: 0 at the end of
// the input, 2 after bytes that are no request.
int serve(const std::function<Answer(const Request&)>& handler);

}  // namespace nbody
