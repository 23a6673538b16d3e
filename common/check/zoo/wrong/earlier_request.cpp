// Every request gets the first answer again, id included: a cache without a key.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("earlier_request");
  std::string first;
  while (const auto request = nbody::read_request()) {
    if (first.empty()) first = nbody::protocol::format_answer(nbody::right_answer(*request));
    nbody::write_bytes(first);
  }
}
