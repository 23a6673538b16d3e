#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/manifest.hpp"
#include "simulator/command_line.hpp"

namespace nbody::view {

// This many iterations mean "until the window is closed".
inline constexpr std::uint64_t endless = 1'000'000'000'000;

// What is simulated, and by which implementations. --help was asked for, and shown.
struct Leave {};

struct Cast {
  Scene scene;
  Options options;  // those of `run`
  struct Player {
    std::string title;  // "part1/naive"
    check::ProgramEntry program;
  };
  std::vector<Player> players;  // one, or two side by side
};

// From the manifest and the options for `./lab run`. Throws InputError.
Cast cast_of(const std::string& manifest, const std::string& part,
             const std::vector<std::string>& names, const std::vector<std::string>& options);

}  // namespace nbody::view
