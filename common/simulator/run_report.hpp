#pragma once

#include <cstdint>
#include <string>

#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// What is known about a run so far.
struct RunSummary {
  std::uint64_t iterations = 0;
  std::uint64_t evaluations = 0;  // of the forces; some schemes need several per iteration
  double wall_s = 0;              // time spent advancing, without reading, writing and energies
  double simulated_s = 0;
  double energy_error = 0;            // (E - E0) / |E0|
  double momentum_error = 0;          // |P - P0| / sum m |v|
  double angular_momentum_error = 0;  // |L - L0| / sum m |v| |q|
  bool energy_known = false;          // false for systems too large to sum all pairs
  bool finite = true;
  bool interrupted = false;
};

inline constexpr const char* no_longer_finite =
    "the bodies are no longer finite numbers: the step (--dt) is too large, or a force is wrong";

// Scenes with their own G use unnamed units.
bool is_si(const Setting& setting);

// 93784 s -> "1d 02h 03m 04s"; below a minute with fractions.
std::string human_time(double seconds);

void print_setting(const Implementation& implementation, const Options& options,
                   const Scene& scene);
// The last iteration: its time step, s, and the wall time and the evaluations of the forces in it.
void print_iteration(const Implementation& implementation, const Scene& scene,
                     const RunSummary& now, double dt, double wall_s, std::uint64_t evaluations);
void print_summary(const Implementation& implementation, const Options& options, const Scene& scene,
                   const RunSummary& summary);

}  // namespace nbody
