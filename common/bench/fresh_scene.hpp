#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/scene.hpp"

namespace nbody::bench {

// New bodies of the same distribution and number for each request, so that no earlier answer can be
// reused. Only scenes of a few fixed bodies, whose speed nobody asks for, stay as they are.
Scene fresh_scene(const std::string& name, std::size_t n, std::uint64_t seed);

// `seed`, to repeat a measurement; for 0 64 unpredictable bits.
std::uint64_t seed_or_random(std::uint64_t seed);

// Of n bodies at most so many, at random. Sorted.
std::vector<std::size_t> sampled_rows(std::size_t n, std::size_t most, Random& random);

// How long the bodies may be followed so that the end still depends on every step, but not on the
// last bit of every sum: half the time in which a quarter of them would fall to the centre, sqrt(r
// / |a|). 0: no forces.
double time_to_follow(const Scene& scene);

}  // namespace nbody::bench
