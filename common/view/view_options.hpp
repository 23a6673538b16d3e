#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "view/camera.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// The command line of `view`: its own options, and the words for the run.
struct ViewOptions {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;
  std::vector<std::string> of_run;

  std::filesystem::path film;  // empty: a window
  bool benchmark = false;      // with neither: measure the drawing speed
  int width = 1280, height = 720;
  int frames = 240, frames_per_second = 30;
  Camera camera;
  float turn = 30;  // degrees that the camera goes round in a film
  Look look;
  bool trails_given = false;
  std::string keys;  // pressed one after another, as if typed
};

// Empty when there is nothing more to do (--help). Throws InputError.
std::optional<ViewOptions> parse_view_options(int argc, char** argv);

}  // namespace nbody::view
