// A well-formed answer for one body fewer than asked, as when the last block was not copied back.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("one_body_short");
  while (const auto request = nbody::read_request()) {
    nbody::protocol::Answer answer = nbody::right_answer(*request);
    const std::size_t n = request->bodies.size() - 1;
    for (nbody::protocol::State& state : answer.states) {
      state.position.resize(n);
      state.velocity.resize(n);
    }
    if (request->want_accelerations) answer.accelerations.resize(n);
    nbody::write_bytes(nbody::protocol::format_answer(answer));
  }
}
