#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody::protocol {

// The expected program; an empty field accepts anything.
struct ExpectedProgram {
  std::optional<Precision> precision = {};
  std::optional<std::string> part = {}, name = {}, instruction_set = {};
  std::optional<unsigned> ranks = {};
};

// Why a program with this hello is the wrong one, in one line; empty if it is the right one.
std::string difference(const Hello& hello, const ExpectedProgram& expected);

// Words in front of a program's path, the first one also a path: of a sandbox, or of a launcher for
// several processes: "/usr/bin/mpiexec -n RANKS", where RANKS stands for their number. SOCKET
// stands for the socket's path, which a sandbox must let in.
struct Launch {
  std::vector<std::string> words = {};
  unsigned ranks = 1;

  bool has_ranks() const;
  std::vector<std::string> filled(const std::string& socket = "") const;
};

struct SessionOptions {
  ExpectedProgram expected = {};  // checked against the program's hello
  // A program of several processes must say how many processes it has.
  Launch launcher = {};
  // Called at least every tenth of a second while an answer is waited for.
  std::function<void()> on_wait = {};
};

}  // namespace nbody::protocol
