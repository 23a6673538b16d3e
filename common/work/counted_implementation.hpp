#pragma once

#include "simulator/implementation.hpp"
#include "work/counting_number.hpp"

namespace nbody::work {

// The one implementation that a count program holds; count.cpp.in defines it for each header.
struct CountedImplementation {
  const char* part;
  const char* name;
  // In static storage, so that members of the simulator itself count as registers. One at a time:
  // end it by calling its destructor.
  SimulatorOf<Counting>* (*make)(const ProblemOf<Counting>&);
  const Accelerator* accelerator = nullptr;  // null: counted on the CPU
};

extern const CountedImplementation counted_implementation;

}  // namespace nbody::work
