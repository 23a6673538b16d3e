// Half an answer: the header states the right length, then the program ends with status 0, as if
// the disk or the memory was full and the result of write was ignored.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("truncated");
  const auto request = nbody::read_request();
  if (!request) return 0;
  const std::string answer = nbody::protocol::format_answer(nbody::right_answer(*request));
  nbody::write_bytes(std::string_view(answer).substr(0, answer.size() / 2));
}
