#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/scene.hpp"

namespace nbody {

// A generator of initial conditions. The same name, seed and N give the same bits everywhere.
struct SceneGenerator {
  std::string name;
  std::string summary;  // one line for --help
  std::size_t bodies;   // its fixed N; 0: it has none and needs one
  bool any_number;      // any N >= 1, or only its own
  double box;           // half the edge of the cube that it fills; 0: it has no such cube
  Scene (*make)(std::size_t n, std::uint64_t seed, double box);
};

const std::vector<SceneGenerator>& scene_generators();

// n = 0 and box = 0 mean the generator's defaults. Throws InputError for an unknown name (listing
// the known ones), an N that the scene cannot have, or a box if it has none. Every value is rounded
// to the 24 bits of a float mantissa.
Scene make_scene(const std::string& name, std::size_t n, std::uint64_t seed, double box = 0);

}  // namespace nbody
