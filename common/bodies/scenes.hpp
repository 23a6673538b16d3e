#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bodies/scene.hpp"

namespace nbody {

// A generator of initial conditions. The same name, seed and N give the same bits everywhere.
struct SceneGenerator {
  std::string name;
  std::string summary;  // one line for --help
  std::size_t bodies;   // the only N it can make; 0: any N >= 1
  Scene (*make)(std::size_t n, std::uint64_t seed);
};

const std::vector<SceneGenerator>& scene_generators();

// n = 0 asks for the generator's own number of bodies. Throws InputError for an unknown name (and
// lists the known ones) or for an N that the scene cannot have.
Scene make_scene(const std::string& name, std::size_t n, std::uint64_t seed);

}  // namespace nbody
