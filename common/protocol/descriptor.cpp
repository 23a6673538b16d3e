#include "protocol/descriptor.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace nbody::protocol {

void throw_system_error(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Pipe make_pipe() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("cannot make a pipe");
  Descriptor read_end(ends[0]), write_end(ends[1]);
  for (Descriptor* end : {&read_end, &write_end}) {
    if (end->number() <= STDERR_FILENO) *end = duplicate(*end);
  }
  return {std::move(read_end), std::move(write_end)};
}

Descriptor duplicate(const Descriptor& descriptor) {
  Descriptor second(::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!second.is_open()) throw_system_error("cannot duplicate a descriptor");
  return second;
}

std::string read_up_to(const Descriptor& descriptor, std::size_t size) {
  constexpr std::size_t first_piece = std::size_t{1} << 20;
  std::string bytes;
  std::size_t used = 0;
  while (used < size) {
    if (used == bytes.size()) bytes.resize(std::min(size, std::max(first_piece, 2 * used)));
    const ssize_t count = ::read(descriptor.number(), bytes.data() + used, bytes.size() - used);
    if (count == 0) break;
    if (count > 0) used += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) throw_system_error("cannot read");
  }
  bytes.resize(used);
  return bytes;
}

void write_fully(const Descriptor& descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor.number(), bytes.data(), bytes.size());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) throw_system_error("cannot write");
  }
}

}  // namespace nbody::protocol
