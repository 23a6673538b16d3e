#pragma once

#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace nbody {

// A program started with --serve finds in this variable the path of a Unix socket to connect to; or
// the number of a descriptor that is connected already, in a sandbox that forbids sockets.
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

  int number() const { return number_; }  // -1 when closed, which poll() skips
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// A Unix socket that programs that are started do not inherit. Throws std::system_error.
Descriptor new_socket(int flags = 0);
sockaddr_un address_of(const std::string& path);
Descriptor connected_to(const std::string& path);

// For blocking descriptors; both continue after signals and throw std::system_error. Reads until
// `size` bytes are there or the input ends. Memory only grows as bytes arrive, whatever size was
// announced.
std::string read_up_to(const Descriptor& descriptor, std::size_t size);
void write_fully(const Descriptor& descriptor, std::string_view bytes);
// From a blocking socket: a line with its end, and nothing of what follows it. Stops at the end of
// the input, or when more than `most` bytes came without an end of line.
std::string read_line(const Descriptor& socket, std::size_t most);

[[noreturn]] void throw_system_error(const char* what);  // from errno

}  // namespace nbody
