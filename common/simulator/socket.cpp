#include "simulator/socket.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace nbody {

void throw_system_error(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Descriptor new_socket(int flags) {
  Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!descriptor.is_open()) throw_system_error("cannot make a socket");
  return descriptor;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    throw_system_error("cannot use the socket");
  }
  path.copy(address.sun_path, path.size());
  return address;
}

Descriptor connected_to(const std::string& path) {
  const sockaddr_un address = address_of(path);
  Descriptor connection = new_socket();
  if (::connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    throw_system_error(("cannot connect to " + path).c_str());
  }
  return connection;
}

std::string read_up_to(const Descriptor& descriptor, std::size_t size) {
  constexpr std::size_t first_piece = std::size_t{1} << 20;
  std::string bytes;
  std::size_t used = 0;
  while (used < size) {
    if (used == bytes.size()) bytes.resize(std::min(size, std::max(first_piece, 2 * used)));
    const ssize_t count = ::read(descriptor.number(), bytes.data() + used, bytes.size() - used);
    if (count == 0) break;
    if (count > 0) used += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) throw_system_error("cannot read");
  }
  bytes.resize(used);
  return bytes;
}

void write_fully(const Descriptor& descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor.number(), bytes.data(), bytes.size());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) throw_system_error("cannot write");
  }
}

std::string read_line(const Descriptor& socket, std::size_t most) {
  std::string line;
  std::array<char, 4096> bytes;
  while (line.size() <= most) {
    const ssize_t seen = ::recv(socket.number(), bytes.data(), bytes.size(), MSG_PEEK);
    if (seen == 0) break;
    if (seen < 0 && errno == EINTR) continue;
    if (seen < 0) throw_system_error("cannot read");
    const std::string_view waiting(bytes.data(), static_cast<std::size_t>(seen));
    const std::size_t end = waiting.find('\n');
    line += read_up_to(socket, end == waiting.npos ? waiting.size() : end + 1);
    if (end != waiting.npos) break;
  }
  return line;
}

}  // namespace nbody
