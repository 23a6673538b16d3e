#pragma once

#include <functional>

#include "protocol/messages.hpp"

namespace nbody {

// Says hello and answers requests until there are no more. They come from standard input, and
// answers go to standard output: descriptors 0 and 1 are moved away first, so that whatever the
// simulator prints goes to standard error and harms nothing. Where the environment names a socket
// (unix_socket.hpp), both go through it. An exception of the handler becomes a refusal. Returns the
// exit status: 0 at the end of the requests, 2 after bytes that are no request.
int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler);

}  // namespace nbody
