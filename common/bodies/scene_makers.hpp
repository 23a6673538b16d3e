#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bodies/scene.hpp"

namespace nbody {

// The input of a generator: number of bodies, seed, half the edge of its cube.
struct SceneWish {
  std::size_t n;
  std::uint64_t seed;
  double box;
};

// The generators behind scenes.hpp. To give the same bits everywhere, they only use + - * / and
// sqrt, and round every value to the 24 bits of a float mantissa at the end.
Scene random_scene(const SceneWish& wish);
Scene six_scene(const SceneWish& wish);
Scene galaxy_scene(const SceneWish& wish);
Scene collision_scene(const SceneWish& wish);
Scene plummer_scene(const SceneWish& wish);
Scene two_body_scene(const SceneWish& wish);
Scene lagrange_scene(const SceneWish& wish);
Scene figure_eight_scene(const SceneWish& wish);

// Subtracts the mass-weighted mean from a column: the momentum becomes 0, or the centre of mass
// moves to 0.
void remove_mean(const std::vector<double>& mass, std::vector<double>& column);

}  // namespace nbody
