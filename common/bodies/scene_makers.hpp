#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bodies/scene.hpp"

namespace nbody {

// What is asked of a generator: its number of bodies, the draw, half the edge of its cube.
struct SceneWish {
  std::size_t n;
  std::uint64_t seed;
  double box;
};

// The generators behind scenes.hpp. To be the same everywhere they use + - * / and sqrt only, and
// round every value to the 24 bits of a float mantissa at the end.
Scene random_scene(const SceneWish& wish);
Scene six_scene(const SceneWish& wish);
Scene galaxy_scene(const SceneWish& wish);
Scene collision_scene(const SceneWish& wish);
Scene plummer_scene(const SceneWish& wish);
Scene two_body_scene(const SceneWish& wish);
Scene lagrange_scene(const SceneWish& wish);
Scene figure_eight_scene(const SceneWish& wish);

// Subtracts from a column its mean by mass: velocities have no momentum left, positions their
// centre of mass at 0.
void remove_mean(const std::vector<double>& mass, std::vector<double>& column);

}  // namespace nbody
