#include "protocol/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

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
  std::string name = (std::filesystem::temp_directory_path() / "nbody_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw_system_error("cannot make a folder for a socket");
  return name;
}

}  // namespace

Listener::Listener() : folder_(new_folder()) {
  try {
    const sockaddr_un address = address_of(path());
    listening_ = new_socket(SOCK_NONBLOCK);
    if (::bind(number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(number(), 1) != 0) {
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

Descriptor connect_to(const std::string& path) {
  const sockaddr_un address = address_of(path);
  Descriptor connection = new_socket(0);
  if (::connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    throw_system_error("cannot connect to the socket in LAB_SOCKET");
  }
  return connection;
}

}  // namespace nbody::protocol
