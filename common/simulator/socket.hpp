#pragma once

#include <sys/un.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace nbody {

// A program started with --serve finds in this variable the path of a Unix socket to connect to.
inline constexpr const char* socket_variable = "LAB_SOCKET";

// Owns an open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// A Unix socket that programs that are started do not inherit. These throw std::system_error.
Descriptor new_socket(int flags = 0);
sockaddr_un address_of(const std::string& path);
[[noreturn]] void throw_system_error(const std::string& what);  // from errno

}  // namespace nbody
