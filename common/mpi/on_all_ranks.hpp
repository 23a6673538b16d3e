#pragma once

#include "simulator/contract.hpp"

namespace nbody {

template <typename T>
using Maker = SimulatorOf<T>* (*)(const ProblemOf<T>&);

// A simulator that is made on every rank. The time loop runs on rank 0 and calls this one, which
// has the same function called on all the others.
template <typename T>
SimulatorOf<T>* on_all_ranks(const ProblemOf<T>& problem, Maker<T> make);

// The same as a function of its own.
template <typename T, Maker<T> make>
SimulatorOf<T>* made_on_all_ranks(const ProblemOf<T>& problem) {
  return on_all_ranks<T>(problem, make);
}

// What the others do: what rank 0 tells them, until it ends.
template <typename T>
void follow(Maker<T> make);

}  // namespace nbody
