#pragma once

#include <filesystem>
#include <string>

#include "protocol/descriptor.hpp"

namespace nbody::protocol {

// The other transport: a program that finds this variable in its environment talks through the Unix
// socket of that path, and keeps its standard input and output.
inline constexpr const char* socket_variable = "LAB_SOCKET";

// Waits for one connection at its own path, which no other user can reach. The file is removed once
// connected, or with this object. Throws std::system_error.
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

// The program's side; blocking.
Descriptor connect_to(const std::string& path);

}  // namespace nbody::protocol
