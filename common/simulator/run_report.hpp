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

// 0.0123 s -> "12.3 ms": four digits in the unit that fits, from ns to s.
std::string short_time(double seconds);

// Computed interactions (ordered pairs) per second.
double interactions_per_second(std::size_t n, std::uint64_t evaluations, double wall_s);

// Flops per iteration for the Gflop/s shown: by the worksheet once it has an answer, else the
// literature's 20 per interaction.
struct ShownFlops {
  double per_iteration = 0;
  bool by_worksheet = false;
  bool is_emulated = false;  // a CPU emulates the device: nothing is shown
};
ShownFlops shown_flops(const Implementation& implementation, std::size_t n);

void print_setting(const Implementation& implementation, const Options& options,
                   const Scene& scene);
void print_iteration_header(const Setting& setting);
void print_iteration(std::uint64_t iteration, double simulated_s, double dt, double wall_s,
                     std::uint64_t evaluations, const Scene& scene, const ShownFlops& flops,
                     const std::string& energy);
void print_summary(const RunSummary& summary, const Options& options, const Scene& scene,
                   const ShownFlops& flops);
// Written under a temporary name and renamed. Throws InputError.
void write_json(const RunSummary& summary, const Implementation& implementation,
                const Options& options, const Scene& scene);

}  // namespace nbody
