#include "simulator/implementation.hpp"

#include "simulator/plain.hpp"

// What program.cpp.in generates from a header, written by hand.
const nbody::Implementation nbody::implementation{
    "test",
    "plain",
    "for tests",
    "-O1",
    "",
    +[](const Problem& problem) -> std::unique_ptr<Simulator> {
      return std::make_unique<PlainOf<real>>(problem);
    }};
