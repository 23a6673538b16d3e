#include "simulator/implementation.hpp"

#include "simulator/test_program/plain.hpp"

namespace nbody {

// What program.cpp.in makes of a header, written out.
const Implementation implementation{
    "test",
    "plain",
    "for tests",
    "-O1",
    [](const Problem<float>& problem) -> std::unique_ptr<Simulator<float>> {
      return std::make_unique<Plain<float>>(problem);
    },
    [](const Problem<double>& problem) -> std::unique_ptr<Simulator<double>> {
      return std::make_unique<Plain<double>>(problem);
    }};

}  // namespace nbody
