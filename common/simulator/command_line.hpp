#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scene.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// What the command line of an implementation program asks for. Empty: not given, so the setting of
// the scene or the file holds.
struct Options {
  bool serve = false;
  std::string file;
  std::size_t n = 0;
  std::string scene = "random";
  std::uint64_t seed = 1;
  double box = 0;
  std::uint64_t iterations = 0;
  bool adaptive = false;
  std::vector<std::pair<double Setting::*, double>> numbers;
  std::optional<std::string> integrator;
  std::string precision;
  unsigned threads = 0;
  Tuning tuning;         // where the implementation takes it
  bool profile = false;  // where it has an accelerator
  bool verbose = false;
  std::string write_base, log;
  std::uint64_t every = 1;
};

// Empty after --help, which leaves nothing to do. Throws InputError.
std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation);

// The bodies that the options name; settings in the options override those of the scene.
Scene scene_of(const Options& options);

// Simulates what the options ask for; prints and writes as it goes. Returns the exit status: 0; 1
// when the bodies are no longer finite; 130 after Ctrl-C (the summary so far is still shown and
// written). Throws InputError.
int run(const Implementation& implementation, const Options& options);

}  // namespace nbody
