#pragma once

#include "simulator/simulator.hpp"
#include "work/counting_number.hpp"

namespace nbody {

// The one implementation that a count program holds; count.cpp.in defines it for each header.
struct CountedImplementation {
  const char* part;
  const char* name;
  // Into static storage, so that members of the simulator itself count as registers. One at a time:
  // end it by calling its destructor.
  Simulator<Counting>* (*make)(const Problem<Counting>&);
  // Throws InputError with one line where the device that counts is missing; null: it needs none.
  void (*demand_device)() = nullptr;
};

extern const CountedImplementation counted_implementation;

}  // namespace nbody
