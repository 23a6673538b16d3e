#pragma once

#include <cstddef>
#include <cstdint>

#include "bodies/scene.hpp"

namespace nbody {

// The generators behind scenes.hpp. To be the same everywhere they use + - * / and sqrt only, and
// round every value to the 24 bits of a float mantissa at the end.
Scene random_scene(std::size_t n, std::uint64_t seed);
Scene six_scene(std::size_t n, std::uint64_t seed);
Scene galaxy_scene(std::size_t n, std::uint64_t seed);
Scene plummer_scene(std::size_t n, std::uint64_t seed);
Scene two_body_scene(std::size_t n, std::uint64_t seed);
Scene lagrange_scene(std::size_t n, std::uint64_t seed);
Scene figure_eight_scene(std::size_t n, std::uint64_t seed);

}  // namespace nbody
