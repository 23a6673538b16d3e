#pragma once

#include <functional>

#include "protocol/messages.hpp"

namespace nbody::protocol {

// Says hello and answers requests until there are no more. Requests come from standard input,
// answers go to standard output: descriptors 0 and 1 are moved away first, so that anything the
// simulator prints goes to standard error and does no harm. If the environment names a socket
// (unix_socket.hpp), both go through it. An exception of the handler becomes a refusal. Returns the
// exit status: 0 at the end of the requests, 2 after bytes that are not a request.
int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler);

}  // namespace nbody::protocol
