#pragma once

#include <functional>

#include "simulator/implementation.hpp"
#include "work/counting_number.hpp"

namespace nbody::work {

// The one implementation that a count program holds; count.cpp.in defines it for each header.
struct CountedImplementation {
  const char* part;
  const char* name;
  // On the stack, so that members of the simulator itself count as registers.
  void (*with)(const ProblemOf<Counting>&, const std::function<void(SimulatorOf<Counting>&)>& use);
};

extern const CountedImplementation counted_implementation;

}  // namespace nbody::work
