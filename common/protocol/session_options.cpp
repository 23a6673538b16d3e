#include "protocol/session_options.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace nbody::protocol {
namespace {
const std::string number_of_ranks = "RANKS", path_of_socket = "SOCKET";
}

std::string difference(const Hello& hello, const ExpectedProgram& expected) {
  const auto differ = [](const std::string& what, const std::string& got,
                         const std::optional<std::string>& wanted) -> std::string {
    if (!wanted || got == *wanted) return "";
    return fmt::format("{} '{}', where '{}' was expected", what, got, *wanted);
  };
  if (expected.precision && hello.precision != *expected.precision) {
    return fmt::format("it computes in {}, where {} was expected", name_of(hello.precision),
                       name_of(*expected.precision));
  }
  if (expected.ranks && hello.ranks != *expected.ranks) {
    return fmt::format(
        "it runs as {} ranks, where {} were expected: is it linked with the MPI that "
        "starts it?",
        hello.ranks, *expected.ranks);
  }
  for (const std::string& line :
       {differ("it is of", hello.part, expected.part), differ("it is", hello.name, expected.name),
        differ("it is for the instruction set", hello.instruction_set, expected.instruction_set)}) {
    if (!line.empty()) return line;
  }
  return "";
}

bool Launch::has_ranks() const {
  return std::find(words.begin(), words.end(), number_of_ranks) != words.end();
}

std::vector<std::string> Launch::filled(const std::string& socket) const {
  std::vector<std::string> filled = words;
  std::replace(filled.begin(), filled.end(), number_of_ranks, std::to_string(ranks));
  std::replace(filled.begin(), filled.end(), path_of_socket, socket);
  return filled;
}

}  // namespace nbody::protocol
