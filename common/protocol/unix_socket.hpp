#pragma once

#include <filesystem>
#include <string>

#include "protocol/descriptor.hpp"

namespace nbody::protocol {

// A program started with --serve finds in this variable the path of a Unix socket to connect to; or
// the number of a descriptor that is connected already, in a sandbox that forbids sockets.
inline constexpr const char* socket_variable = "LAB_SOCKET";

// Waits for one connection at its own path. Its folder keeps other users out; whoever is shown the
// file by a sandbox, under another user's number, may connect. The file is removed once connected,
// or with this object. Throws std::system_error.
class Listener {
 public:
  Listener();
  ~Listener() { remove_file(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string path() const { return (folder_ / "socket").string(); }
  int number() const { return listening_.number(); }  // poll() tells when accept() will succeed
  // Neither waits nor blocks later; returns a closed descriptor if there is no connection yet.
  Descriptor accept();

 private:
  void remove_file();
  std::filesystem::path folder_;
  Descriptor listening_;
};

// The program's side; blocking. Takes the variable out of the environment, so that what the
// program starts does not inherit it.
Descriptor connect_as_environment_says();

// From a blocking socket: a line without its end, and nothing of what follows it. Stops at the end
// of the input, or when more than `most` bytes came without an end of line.
std::string read_line(const Descriptor& socket, std::size_t most);

}  // namespace nbody::protocol
