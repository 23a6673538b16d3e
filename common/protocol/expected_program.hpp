#pragma once

#include <optional>
#include <string>

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

}  // namespace nbody::protocol
