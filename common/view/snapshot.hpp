#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "bodies/bodies.hpp"

namespace nbody::view {

// A state of a simulation, as shown. Immutable once shared.
struct Snapshot {
  std::uint64_t iteration = 0;
  double time = 0;                     // simulated, s
  Vectors<double> position, velocity;  // m, m/s
  Vectors<double> acceleration;        // m/s^2; empty unless it was wanted
  double interactions_per_second = 0;  // of the last answer; 0: none yet
  std::optional<double> energy_error;  // (E - E0) / |E0|, when last summed
  bool finite = true;
  bool finished = false;  // all requested iterations
};
using Shown = std::shared_ptr<const Snapshot>;

// How it is drawn; keys and options change it.
struct Look {
  enum class Colour { speed, acceleration };
  Colour colour = Colour::speed;
  bool trails = true;
  bool glow = true;
  bool text = true;
};

}  // namespace nbody::view
