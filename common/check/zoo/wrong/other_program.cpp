// Right answers, but it says that it computes in double although it was started as the program for
// float: mixed-up files.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::write_bytes(nbody::protocol::format_hello(
      {nbody::protocol::Precision::double_precision, false, 1, "wrong", "other_program", ""}));
  while (const auto request = nbody::read_request()) {
    nbody::write_bytes(nbody::protocol::format_answer(nbody::right_answer(*request)));
  }
}
