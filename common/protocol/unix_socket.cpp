#include "protocol/unix_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace nbody::protocol {
namespace {

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

Descriptor new_socket(int kind) {
  Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | kind, 0));
  if (!descriptor.is_open()) throw_system_error("cannot make a socket");
  return descriptor;
}

// Only its owner has access.
std::filesystem::path new_folder() {
  constexpr const char* trouble = "cannot make a folder for a socket";
  std::error_code fault;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(fault);
  if (fault) throw std::system_error(fault, trouble);
  std::string name = (parent / "nbody_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw_system_error(trouble);
  return name;
}

Descriptor connect_to(const std::string& path, const std::string& variable) {
  const sockaddr_un address = address_of(path);
  Descriptor connection = new_socket(0);
  if (::connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    throw_system_error(("cannot connect to the socket in " + variable).c_str());
  }
  return connection;
}

std::string taken_from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  ::unsetenv(variable);
  return text;
}

// Far from the small numbers of a program's own files, unless few descriptors are allowed. What the
// program starts does not inherit it.
Descriptor moved_away(Descriptor connection) {
  Descriptor moved(::fcntl(connection.number(), F_DUPFD_CLOEXEC, 100));
  return moved.is_open() ? std::move(moved) : std::move(connection);
}

}  // namespace

Listener::Listener() : folder_(new_folder()) {
  try {
    const sockaddr_un address = address_of(path());
    listening_ = new_socket(SOCK_NONBLOCK);
    if (::bind(number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::chmod(path().c_str(), 0666) != 0 || ::listen(number(), 1) != 0) {
      throw_system_error("cannot listen at a socket");
    }
  } catch (...) {
    remove_file();
    throw;
  }
}

Descriptor Listener::accept() {
  Descriptor connection(::accept4(number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (connection.is_open()) {
    remove_file();
    listening_.close();
  }
  return connection;
}

void Listener::remove_file() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  folder_.clear();
}

Descriptor connect_as_environment_says() {
  const std::string text = taken_from_environment(socket_variable);
  if (text.empty()) {
    throw std::runtime_error(
        std::string("it must be started by a tool of the lab, which names a ") + "socket in " +
        socket_variable);
  }
  const bool is_number = text.size() < 5 && text.find_first_not_of("0123456789") == text.npos;
  return moved_away(is_number ? Descriptor(std::stoi(text)) : connect_to(text, socket_variable));
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

}  // namespace nbody::protocol
