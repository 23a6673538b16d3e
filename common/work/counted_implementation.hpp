#pragma once

#include <functional>

#include "simulator/implementation.hpp"
#include "simulator/tuning.hpp"
#include "work/counting_number.hpp"

namespace nbody::work {

// The one implementation that a count program holds; count.cpp.in defines it for each header.
struct CountedImplementation {
  const char* part;
  const char* name;
  void (*with)(const ProblemOf<Counting>&, const std::function<void(SimulatorOf<Counting>&)>& use);
};

// With the first block size and unrolling that it has, as if none was asked for. On the stack, so
// that members of the simulator itself count as registers.
template <typename Simulator>
void use(const ProblemOf<Counting>& problem,
         const std::function<void(SimulatorOf<Counting>&)>& use_it) {
  ProblemOf<Counting> tuned = problem;
  tuned.tuning = choices_of<Simulator>().chosen({});
  Simulator simulator(tuned);
  use_it(simulator);
}

extern const CountedImplementation counted_implementation;

}  // namespace nbody::work
