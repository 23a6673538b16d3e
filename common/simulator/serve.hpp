#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "simulator/messages.hpp"
#include "simulator/socket.hpp"

namespace nbody {

struct NumberedRequest {
  std::uint64_t id = 0;
  Request request;
};

// A program's end of the conversation.
class Connection {
 public:
  // To the asker whose socket the environment names. Takes the variable out of the environment, so
  // that what the program starts does not inherit it. Throws std::runtime_error.
  Connection();
  int number() const { return socket_.number(); }
  void send(std::string_view bytes) const;
  // Waits for a request; nothing at the end of the requests. Throws ProtocolError for bytes that
  // are no request.
  std::optional<NumberedRequest> receive() const;

 private:
  Descriptor socket_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> input_;
};

// Says hello and answers requests until there are no more. An exception of the handler becomes a
// refusal. Returns the exit status: 0 at the end of the requests, 2 after bytes that are not a
// request.
int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler);

// For a process that asks or serves: freed memory stays in it, for the next message. The C library
// would give each array above 32 MB back to the system, which clears pages for the next one: with a
// million bodies up to two fifths of a request without steps.
void keep_memory();

}  // namespace nbody
