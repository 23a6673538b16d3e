#pragma once

#include <cstddef>

#include "core/bodies.hpp"

// What is measured of bodies; SI units of the bodies.

namespace nbody {

struct Vector {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vector&) const = default;
};

// What an exact solution keeps.
double kinetic_energy(const Bodies<double>& bodies);
double potential_energy(const Bodies<double>& bodies, double G, double softening);
double total_energy(const Bodies<double>& bodies, double G, double softening);
Vector momentum(const Bodies<double>& bodies);
Vector angular_momentum(const Bodies<double>& bodies);

// Fewer pairs take less time than waking threads, above all on a busy machine.
inline constexpr std::size_t worth_threads = 20'000'000;

// Square of the distance from `target` to the nearest of the bodies [first, last), m^2; infinity
// for none. Unsoftened: the adaptive step needs distances, not forces.
double nearest_distance2(const Bodies<double>& bodies, std::size_t target, std::size_t first,
                         std::size_t last);

// Distance between the two closest bodies, m; infinity for a single one.
double smallest_distance(const Bodies<double>& bodies);

}  // namespace nbody
