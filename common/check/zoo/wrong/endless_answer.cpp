// The header promises 2^62 bytes, then zeros follow without end. Trusting the length exhausts the
// memory; waiting for the last byte never ends.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("endless_answer");
  const auto request = nbody::read_request();
  if (!request) return 0;
  std::string answer = nbody::protocol::format_answer(nbody::right_answer(*request));
  answer.resize(nbody::protocol::frame_header_size);
  answer.replace(nbody::protocol::frame_header_size - 8, 8, {0, 0, 0, 0, 0, 0, 0, 0x40});
  nbody::write_bytes(answer);
  const std::string zeros(1 << 16, '\0');
  while (!std::ferror(stdout)) nbody::write_bytes(zeros);
}
