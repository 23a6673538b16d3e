#pragma once

#include "simulator/implementation.hpp"

namespace nbody {

// A simulator that exists on every rank. The time loop runs on rank 0 and calls this one, which
// calls the same function on all others.
template <typename T>
std::unique_ptr<SimulatorOf<T>> on_all_ranks(const ProblemOf<T>& problem, Maker<T> make);

// The same as a function of its own.
template <typename T, Maker<T> make>
std::unique_ptr<SimulatorOf<T>> made_on_all_ranks(const ProblemOf<T>& problem) {
  return on_all_ranks<T>(problem, make);
}

// The other ranks: do what rank 0 tells them, until it ends.
template <typename T>
void follow(Maker<T> make);

}  // namespace nbody
