#pragma once

#include "bodies/bodies.hpp"

namespace nbody {

struct Vector {
  double x = 0, y = 0, z = 0;
};

// What an exact solution keeps; SI units of the bodies.
double kinetic_energy(const Bodies<double>& bodies);
double potential_energy(const Bodies<double>& bodies, double G, double softening);
Vector momentum(const Bodies<double>& bodies);
Vector angular_momentum(const Bodies<double>& bodies);

}  // namespace nbody
