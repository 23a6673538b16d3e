#pragma once

#include <cstdint>
#include <string>

#include "bodies/scene.hpp"

namespace nbody {

// Other bodies of the same law and number for each request, so that no answer can be one that was
// computed before. A scene that is always the same one is turned at random.
Scene fresh_scene(const std::string& name, std::size_t n, std::uint64_t seed);

// 64 bits that nobody can guess.
std::uint64_t random_seed();

// `seed`, where a measurement is repeated; for 0 one that nobody can guess.
std::uint64_t seed_or_random(std::uint64_t seed);

// How long the bodies may be followed so that the end still depends on every step, but not on the
// last bit of every sum: half of the time in which a quarter of them would fall from where they are
// to the middle, sqrt(r / |a|). 0: nothing pulls.
double time_to_follow(const Scene& scene);

}  // namespace nbody
