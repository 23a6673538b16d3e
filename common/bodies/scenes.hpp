#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "bodies/scene_makers.hpp"

namespace nbody {

// A generator of initial conditions. The same name, seed and N give the same bits everywhere.
struct SceneGenerator {
  std::string name;
  std::string summary;  // one line for --help
  std::size_t bodies;   // its own N; 0: it has none, and must be given one
  bool any_number;      // any N >= 1, or only its own
  double box;           // half the edge of the cube that it fills; 0: it has no such cube
  Scene (*make)(const SceneWish& wish);
};

const std::vector<SceneGenerator>& scene_generators();

// n = 0 and box = 0 ask for the generator's own. Throws InputError for an unknown name (and lists
// the known ones), for an N that the scene cannot have, for a box where it has none.
Scene make_scene(const std::string& name, std::size_t n, std::uint64_t seed, double box = 0);

}  // namespace nbody
