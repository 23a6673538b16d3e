#include "simulator/test_program/implementation.hpp"

#include "simulator/plain.hpp"
#include "simulator/simulator.hpp"

namespace nbody {
namespace {

// What program.cpp.in generates from a header, written by hand.
template <typename T>
Implementation plain_of() {
  return {"test",
          "plain",
          "for tests",
          "-O1",
          "",
          +[](const ProblemOf<T>& problem) -> std::unique_ptr<SimulatorOf<T>> {
            return std::make_unique<PlainOf<T>>(problem);
          }};
}

}  // namespace

const Implementation implementation = plain_of<real>();

const Implementation& implementation_in(Precision precision) {
  static const Implementation in_float = plain_of<float>(), in_double = plain_of<double>();
  return precision == Precision::single_precision ? in_float : in_double;
}

}  // namespace nbody
