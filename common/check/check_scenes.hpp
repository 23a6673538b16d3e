#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/scene.hpp"

namespace nbody::check {

// Bodies made to expose mistakes, not to look like a sky. Unless said otherwise, all are on a
// jittered lattice in random order, so that no pair is much closer than the others; rounded to
// float's 24 bits. A seed also decides units, G and softening.
enum class CheckScene {
  equal_masses,  // a missing body or pair shows: no giant hides it
  // Masses over two decades and a giant of 10 x the sum of the others: on the last index, just
  // after the last full tile of 64, or anywhere.
  heavy_tail,
  flat,         // all in one of the planes x = 0, y = 0 and z = 0, in which they move
  line,         // all on the x axis, on which they move
  star_cluster  // a dense core in a wide halo, as bench sends it
};

// Those that meet all sizes.
inline constexpr std::pair<CheckScene, const char*> check_scenes[] = {
    {CheckScene::equal_masses, "equal masses"},
    {CheckScene::heavy_tail, "heavy tail"},
    {CheckScene::flat, "flat"}};

Scene make_check_scene(CheckScene scene, std::size_t n, std::uint64_t seed);

// Softened by a good part of the smallest distance: in a close encounter the rounding of the
// answered state would decide the next step.
void soften_encounters(Scene& scene);

// One light body, index `decides`, flies so fast that it alone decides every adaptive step, moves
// straight and disturbs nobody. Its nearest neighbour gets index `neighbour`: a search that leaves
// one of the two out takes another step. Both may be the same: then any neighbour will do.
void put_flier(Scene& scene, std::size_t decides, std::size_t neighbour);

// The other body that is nearest to body i.
std::size_t nearest_to(const Bodies<double>& bodies, std::size_t i);

}  // namespace nbody::check
