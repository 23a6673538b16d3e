#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "protocol/descriptor.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

// The program's side of a conversation, message by message.
class Connection {
 public:
  // To the socket in the environment (unix_socket.hpp).
  Connection();

  // Waits for a request; nothing at the end of the requests. Throws ProtocolError for bytes that
  // are no request, after a refusal if they have an id.
  std::optional<Request> receive() const;
  void send(std::string_view message) const { write_fully(socket_, message); }
  int number() const { return socket_.number(); }

 private:
  Request receive_after(std::string_view header) const;
  Descriptor socket_;
};

// Says hello and answers requests until there are no more. An exception of the handler becomes a
// refusal. Returns the exit status: 0 at the end of the requests, 2 after bytes that are not a
// request.
int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler);

}  // namespace nbody::protocol
