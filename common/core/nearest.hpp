#pragma once

#include <cstddef>

#include "core/bodies.hpp"

namespace nbody {

// Fewer pairs take less time than waking threads, above all on a busy machine.
inline constexpr std::size_t worth_threads = 1'000'000;

// Square of the distance from `target` to the nearest of the bodies [first, last), m^2; infinity
// for none. Unsoftened: the adaptive step needs distances, not forces.
double nearest_distance2(const Bodies<double>& bodies, std::size_t target, std::size_t first,
                         std::size_t last);

// Distance between the two closest bodies, m; infinity for a single one.
double smallest_distance(const Bodies<double>& bodies);

}  // namespace nbody
