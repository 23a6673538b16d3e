#pragma once

#include <functional>
#include <optional>

#include "simulator/messages.hpp"
#include "simulator/socket.hpp"

namespace nbody {

// To the asker whose socket the environment names (socket.hpp). Takes the variable out of the
// environment, so that what the program starts does not inherit it.
Descriptor connect_to_asker();

struct NumberedRequest {
  std::uint64_t id = 0;
  Request request;
};
// Waits for a request; nothing at the end of the requests. Throws ProtocolError for bytes that are
// no request.
std::optional<NumberedRequest> receive_request(const Descriptor& connection);

// Says hello and answers requests until there are no more. An exception of the handler becomes a
// refusal. Returns the exit status: 0 at the end of the requests, 2 after bytes that are not a
// request.
int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler);

// For a process that asks or serves: freed memory stays in it, for the next message. The C library
// would give each array above 32 MB back to the system, which clears pages for the next one: with a
// million bodies up to two fifths of a request without steps.
void keep_memory();

}  // namespace nbody
