#include "simulator/serve.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nbody {

void throw_system_error(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int new_socket(int flags) {
  const int number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (number < 0) throw_system_error("cannot make a socket");
  return number;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error(path + " is too long");
  path.copy(address.sun_path, path.size());
  return address;
}

Connection::Connection() : input_(::fdopen(new_socket(), "rb"), std::fclose) {
  const char* const path = std::getenv(socket_variable);
  if (path == nullptr) {
    throw std::runtime_error(
        std::string("it must be started by a tool of the lab, which names a socket in ") +
        socket_variable);
  }
  const sockaddr_un address = address_of(path);
  if (::connect(number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw_system_error(std::string("cannot connect to ") + path);
  }
  ::unsetenv(socket_variable);
}

void Connection::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) throw_system_error("cannot write");
  }
}

std::optional<NumberedRequest> Connection::receive() const {
  std::string line;
  for (int byte = 0; byte != '\n';) {
    byte = std::getc(input_.get());
    if (byte == EOF) return std::nullopt;
    line += static_cast<char>(byte);
  }
  NumberedRequest asked = parse_request_header(line);
  for (std::vector<double>* column : columns_of(asked.request.bodies)) {
    if (std::fread(column->data(), sizeof(double), column->size(), input_.get()) < column->size()) {
      throw ProtocolError("the request ends too early");
    }
  }
  return asked;
}

// The bytes of the answer, or of a refusal.
static std::string reply(const std::function<Answer(const Request&)>& handler,
                         const NumberedRequest& asked) {
  try {
    return format_answer(handler(asked.request), asked.id);
  } catch (const Unsupported& lacking) {
    return format_refusal(Refusal::unsupported, lacking.what(), asked.id);
  } catch (const std::exception& fault) {
    return format_refusal(Refusal::failed, fault.what(), asked.id);
  } catch (...) {
    return format_refusal(Refusal::failed, "the simulator failed and gave no reason", asked.id);
  }
}

void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler) {
  keep_memory();
  try {
    const Connection connection;
    connection.send(format_hello(hello));
    while (const auto asked = connection.receive()) connection.send(reply(handler, *asked));
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "--serve: %s\n", fault.what());
    return 2;
  }
}

}  // namespace nbody
