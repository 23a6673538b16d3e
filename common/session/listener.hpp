#pragma once

#include <filesystem>
#include <string>

#include "simulator/socket.hpp"

namespace nbody {

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

}  // namespace nbody
