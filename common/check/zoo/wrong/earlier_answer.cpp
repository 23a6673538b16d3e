// A later request of the same shape gets the content of the first answer under its own id: a cache
// keyed by the number of bodies. It would win every comparison of speed.

#include "check/zoo/small_server.hpp"

int main() {
  std::optional<nbody::Request> first;
  nbody::Answer answer;
  while (const auto request = nbody::read_request()) {
    const bool same_shape = first && first->bodies.size() == request->bodies.size() &&
                            first->steps == request->steps &&
                            first->want_every_state == request->want_every_state &&
                            first->want_accelerations == request->want_accelerations;
    nbody::Answer own = same_shape ? answer : nbody::right_answer(*request);
    own.id = request->id;
    if (!first) {
      first = request;
      answer = own;
    }
    nbody::write_bytes(nbody::format_answer(own));
  }
}
