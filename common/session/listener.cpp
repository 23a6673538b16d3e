#include "session/listener.hpp"

#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>
#include <system_error>

namespace nbody {
namespace {

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
  if (connection.is_open()) remove_file();
  return connection;
}

void Listener::remove_file() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  folder_.clear();
}

}  // namespace nbody
