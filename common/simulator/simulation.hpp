#pragma once

#include <cstdint>
#include <memory>

#include "core/scene.hpp"
#include "simulator/implementation.hpp"
#include "simulator/messages.hpp"

namespace nbody {

// A running implementation, seen from outside: in SI units and double, whatever it computes in.
class Simulation {
 public:
  virtual ~Simulation() = default;
  // In s. Returns the time simulated.
  virtual double advance(std::uint64_t steps, const StepRule& rule) = 0;
  virtual void compute_accelerations() = 0;
  virtual Bodies<double> bodies() const = 0;
  virtual Vectors<double> accelerations() const = 0;
  // Of the forces, so far.
  virtual std::uint64_t evaluations() const = 0;
};

// Throws InputError when the scene cannot be simulated in the implementation's precision:
// coincident bodies without softening (named), values out of range; Unsupported for an integrator
// that the implementation has no functions for.
std::unique_ptr<Simulation> start_simulation(const Implementation& implementation,
                                             const Scene& scene, const Tuning& tuning = {});

// The answer to one request, from a new simulation.
Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning = {});

}  // namespace nbody
