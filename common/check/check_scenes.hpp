#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "physics/reference.hpp"

namespace nbody::check {

// Bodies made to expose mistakes, not to look like a sky. Unless said otherwise, all are on a
// jittered lattice in random order, so that no pair is much closer than the others; rounded to
// float's 24 bits. A seed also decides units, G and softening.
enum class CheckScene {
  equal_masses,  // a missing body or pair shows: no giant hides it
  heavy_tail,    // masses over two decades and a giant of 10 x the sum of the others
  giant_at_edge  // the giant on the last index, or just after the last full tile of 64
};

const std::vector<CheckScene>& check_scenes();

// For groups with few scenes: each seed takes the next kind, equal masses first.
CheckScene scene_in_turn(std::uint64_t k);
std::string name_of(CheckScene scene);
Scene make_check_scene(CheckScene scene, std::size_t n, std::uint64_t seed);

Reference reference_of(const Scene& scene);

// The sizes of the ladder: 1, primes, powers of two and their neighbours.
const std::vector<std::size_t>& ladder_sizes();

// Softened by a good part of the smallest distance: in a close encounter the rounding of the
// answered state would decide the next step.
Scene without_encounters(Scene scene);

// Equal masses without softening, among them 16 pairs at an eighth of the usual distance. Closer
// ones would round all others in a running sum (1.6e-5 at a 512th), and to move the bodies to their
// centre of mass would cost a digit.
Scene close_pairs(std::size_t n, std::uint64_t seed);

}  // namespace nbody::check
