#include "simulator/serve.hpp"

#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nbody {
namespace {

// The bytes of the answer, or of a refusal.
std::string reply(const std::function<Answer(const Request&)>& handler,
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

}  // namespace

void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

Descriptor connect_to_asker() {
  const char* const value = std::getenv(socket_variable);
  const std::string socket = value == nullptr ? "" : value;
  ::unsetenv(socket_variable);
  if (socket.empty()) {
    throw std::runtime_error(
        std::string("it must be started by a tool of the lab, which names a socket in ") +
        socket_variable);
  }
  // The asker may go away: write() then fails, which is enough.
  std::signal(SIGPIPE, SIG_IGN);
  const bool is_number = socket.size() < 5 && socket.find_first_not_of("0123456789") == socket.npos;
  Descriptor connection = is_number ? Descriptor(std::stoi(socket)) : connected_to(socket);
  // Far from the small numbers of a program's own files, unless few descriptors are allowed.
  Descriptor moved(::fcntl(connection.number(), F_DUPFD_CLOEXEC, 100));
  return moved.is_open() ? std::move(moved) : std::move(connection);
}

std::optional<NumberedRequest> receive_request(const Descriptor& connection) {
  const std::string line = read_line(connection, max_header_size);
  if (line.empty()) return std::nullopt;
  RequestHeader header = parse_request_header(line);
  const std::uint64_t id = header.id;
  const std::string columns = read_up_to(connection, columns_size(header));
  return NumberedRequest{id, parse_request(std::move(header), columns)};
}

int serve(const Hello& hello, const std::function<Answer(const Request&)>& handler) {
  keep_memory();
  try {
    const Descriptor connection = connect_to_asker();
    write_fully(connection, format_hello(hello));
    while (const auto asked = receive_request(connection)) {
      write_fully(connection, reply(handler, *asked));
    }
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "--serve: %s\n", fault.what());
    return 2;
  }
}

}  // namespace nbody
