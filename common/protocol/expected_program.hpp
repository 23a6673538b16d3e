#pragma once

#include <optional>
#include <string>

#include "protocol/messages.hpp"

namespace nbody {

// What somebody wants to talk to; nothing where anything will do.
struct ExpectedProgram {
  std::optional<Precision> precision = {};
  std::optional<std::string> part = {}, name = {}, instruction_set = {};
  std::optional<unsigned> ranks = {};
};

// Why a program that says this hello is another one, in one line; empty when it is the right one.
std::string difference(const Hello& hello, const ExpectedProgram& expected);

}  // namespace nbody
