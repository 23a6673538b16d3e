#pragma once

#include <sys/un.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/messages.hpp"

namespace nbody {

// A program started with --serve finds in this variable the path of a Unix socket to connect to.
inline constexpr const char* socket_variable = "LAB_SOCKET";

// A Unix socket that programs that are started do not inherit. These throw std::system_error.
int new_socket(int flags = 0);
sockaddr_un address_of(const std::string& path);
[[noreturn]] void throw_system_error(const std::string& what);  // from errno

// A program's end of the conversation.
class Connection {
 public:
  // To the asker whose socket the environment names. Takes the variable out of the environment, so
  // that what the program starts does not inherit it. Throws std::runtime_error.
  Connection();
  int number() const { return ::fileno(input_.get()); }
  void send(std::string_view bytes) const;
  // Waits for a request; nothing at the end of the requests. Throws ProtocolError for bytes that
  // are no request.
  std::optional<NumberedRequest> receive() const;

 private:
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
