#pragma once

#include <filesystem>
#include <string>

#include "protocol/descriptor.hpp"

namespace nbody {

// The other transport: a program that finds this variable in its environment talks through the Unix
// socket of that path, and its standard input and output are its own.
inline constexpr const char* socket_variable = "LAB_SOCKET";

// Waits for one connection at a path of its own, which nobody else may reach. The file is gone when
// the connection is there, or with this object. Throws std::system_error.
class Listener {
 public:
  Listener();
  ~Listener() { remove_file(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string path() const { return (folder_ / "socket").string(); }
  int number() const { return listening_.number(); }  // poll() says when accept() has something
  // Neither waits nor blocks later; closed when there is none yet.
  Descriptor accept();

 private:
  void remove_file();
  std::filesystem::path folder_;
  Descriptor listening_;
};

// The program's side; blocking.
Descriptor connect_to(const std::string& path);

// A second descriptor of the same connection.
Descriptor duplicate(const Descriptor& descriptor);

}  // namespace nbody
