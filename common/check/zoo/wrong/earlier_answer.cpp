// A later request of the same shape gets the content of the first such answer, under its own id: a
// cache keyed by the number of bodies. It would win every benchmark.

#include <map>
#include <tuple>

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("earlier_answer");
  std::map<std::tuple<std::size_t, std::uint64_t, bool, bool>, nbody::protocol::Answer> first;
  while (const auto request = nbody::read_request()) {
    const auto shape = std::make_tuple(request->bodies.size(), request->steps,
                                       request->want_every_state, request->want_accelerations);
    if (!first.contains(shape)) first[shape] = nbody::right_answer(*request);
    first[shape].id = request->id;
    nbody::write_bytes(nbody::protocol::format_answer(first[shape]));
  }
}
