#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/scene.hpp"
#include "simulator/implementation.hpp"
#include "simulator/messages.hpp"

namespace nbody {

// What the command line of an implementation program asks for. Empty: not given, so the setting of
// the scene or the file holds.
struct Options {
  bool serve = false;
  std::optional<std::filesystem::path> file;
  std::optional<std::size_t> n;
  std::string scene = "random";
  std::uint64_t seed = 1;
  double box = 0;  // 0: the scene's own
  std::uint64_t iterations = 0;
  bool verbose = false;
  bool no_visualisation = false;  // for ./lab run: the program itself shows nothing
  std::optional<std::string> write_base;
  std::uint64_t every = 1;
  std::optional<std::filesystem::path> json, log;
  bool adaptive = false;
  std::optional<Precision> precision;  // not given: that of the program
  unsigned threads = 0;
  std::optional<double> dt, dt_floor, softening, G, damping;
  std::optional<std::string> integrator;
  Tuning tuning;         // where the implementation takes it
  bool profile = false;  // where it has an accelerator
};

// Empty when the program has nothing more to do (--help, --version). Throws InputError.
std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation);

// The bodies that the options name; settings in the options override those of the scene.
Scene scene_of(const Options& options);

}  // namespace nbody
