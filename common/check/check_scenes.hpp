#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "core/scene.hpp"

namespace nbody::check {

// Bodies made to expose mistakes, not to look like a sky. Unless said otherwise, all are on a
// jittered lattice in random order, so that no pair is much closer than the others; rounded to
// float's 24 bits. A seed also decides units, G and softening.
enum class CheckScene {
  equal_masses,   // a missing body or pair shows: no giant hides it
  heavy_tail,     // masses over two decades and a giant of 10 x the sum of the others
  giant_at_edge,  // the giant on the last index, or just after the last full tile of 64
  clustered,      // half of the bodies in a small part of the volume
  flat,           // all in the plane where one coordinate is 0, in which they move
  star_cluster    // a dense core in a wide halo, with its own softening and step, as bench sends it
};

// Those that meet all sizes.
inline constexpr CheckScene check_scenes[] = {CheckScene::equal_masses, CheckScene::heavy_tail,
                                              CheckScene::giant_at_edge, CheckScene::clustered,
                                              CheckScene::flat};

std::string name_of(CheckScene scene);
Scene make_check_scene(CheckScene scene, std::size_t n, std::uint64_t seed);

// Few bodies for whose pulls mistakes have cases of their own.
struct FewBodies {
  struct Body {
    double mass, x, y, z;
  };
  const char* name;
  double G, softening;
  std::vector<Body> bodies;
  Cause alone = {};  // what is wrong if everything else about forces is right
};
const std::vector<FewBodies>& few_bodies();

// They stand anywhere among n bodies in all, so that they reach loops over whole vectors; the
// others are light and far away, and together do nothing that a float could show. All move.
Scene in_a_crowd(const FewBodies& few, std::size_t n, std::uint64_t seed);

// --- how a scene is changed

// Softened by a good part of the smallest distance: in a close encounter the rounding of the
// answered state would decide the next step.
void soften_encounters(Scene& scene);

// One light body, index `decides`, flies so fast that it alone decides every adaptive step, moves
// straight and disturbs nobody. Its nearest neighbour gets index `neighbour`: a search that leaves
// one of the two out takes another step. Both may be the same: then any neighbour will do.
void put_flier(Scene& scene, std::size_t decides, std::size_t neighbour);

// The other body that is nearest to body i.
std::size_t nearest_to(const Bodies<double>& bodies, std::size_t i);

void stop(Bodies<double>& bodies, std::size_t i);
void stop_all(Scene& scene);

}  // namespace nbody::check
