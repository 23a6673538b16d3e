#pragma once

#include <cstdint>
#include <memory>

#include "bodies/scene.hpp"
#include "protocol/messages.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// An implementation at work, seen from outside: SI units and double whatever it computes in.
class Simulation {
 public:
  virtual ~Simulation() = default;
  // Returns the time simulated, s.
  virtual double advance(std::uint64_t steps) = 0;
  virtual void compute_accelerations() = 0;
  virtual Bodies<double> bodies() const = 0;
  virtual Vectors<double> accelerations() const = 0;
  // da/dt of the bodies as they are; only where the implementation has it.
  virtual Vectors<double> jerk() = 0;
  // Of the forces, by advance() so far.
  virtual std::uint64_t evaluations() const = 0;
};

// With the usual value where nothing was asked for.
Tuning chosen_tuning(const Implementation& implementation, const Tuning& asked);

// Throws InputError when the scene cannot be simulated in the implementation's precision:
// coincident bodies without softening (named), values out of range, an integrator that the
// implementation has no functions for.
std::unique_ptr<Simulation> start_simulation(const Implementation& implementation,
                                             const Scene& scene, bool adaptive,
                                             const Tuning& tuning = {});

// The serving side of the program: what it says of itself, and one request through a simulation of
// its own.
Hello hello_of(const Implementation& implementation);
Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning = {});

}  // namespace nbody
