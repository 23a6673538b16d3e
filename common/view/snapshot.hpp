#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "bodies/bodies.hpp"

namespace nbody::view {

// A state of a simulation, as it is shown. Nobody changes one that others can see.
struct Snapshot {
  std::uint64_t iteration = 0;
  double time = 0;                     // simulated, s
  Vectors<double> position, velocity;  // m, m/s
  Vectors<double> acceleration;        // m/s^2; empty unless it was wanted
  double interactions_per_second = 0;  // of the last answer; 0: none yet
  std::optional<double> energy_error;  // (E - E0) / |E0|, when last summed
  bool finite = true;
  bool finished = false;  // all iterations that were asked for
};
using Shown = std::shared_ptr<const Snapshot>;

}  // namespace nbody::view
