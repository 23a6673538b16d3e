#pragma once

#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace nbody::protocol {

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

struct Pipe {
  Descriptor read_end, write_end;
};

// Programs that are started do not inherit the ends, nor a duplicate. All their numbers are above
// 2, so that a dup2() onto a standard descriptor overwrites none: this process may run with 0, 1
// or 2 closed.
Pipe make_pipe();
Descriptor duplicate(const Descriptor& descriptor);

// For blocking descriptors; both continue after signals and throw std::system_error. Reads until
// `size` bytes are there or the input ends. Memory only grows as bytes arrive, whatever size was
// announced.
std::string read_up_to(const Descriptor& descriptor, std::size_t size);
void write_fully(const Descriptor& descriptor, std::string_view bytes);

[[noreturn]] void throw_system_error(const char* what);  // from errno

}  // namespace nbody::protocol
