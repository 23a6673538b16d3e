// Right answers in the first version of the protocol: no hello, and it exits at a request of
// another version.

#include "check/zoo/small_server.hpp"

int main() {
  const auto header = nbody::read_bytes(nbody::protocol::frame_header_size);
  if (!header || nbody::protocol::load_little_endian<std::uint32_t>(header->data() + 8) == 1)
    return 0;
  std::fprintf(stderr, "--serve: the message has protocol version 3, this program speaks 1\n");
  return 2;
}
