#pragma once

#include "core/bodies.hpp"

namespace nbody {

struct Vector {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vector&) const = default;
};

// What an exact solution keeps; SI units of the bodies.
double kinetic_energy(const Bodies<double>& bodies);
double potential_energy(const Bodies<double>& bodies, double G, double softening);
Vector momentum(const Bodies<double>& bodies);
Vector angular_momentum(const Bodies<double>& bodies);

struct Conserved {
  double energy = 0;
  Vector momentum, angular_momentum;
};
Conserved conserved(const Bodies<double>& bodies, double G, double softening);

// Sums of the magnitudes of the terms above: the scale of their errors.
double momentum_scale(const Bodies<double>& bodies);
double angular_momentum_scale(const Bodies<double>& bodies);

// Difference of a and b, in units of the scale; 0 without a scale.
double change(const Vector& a, const Vector& b, double scale);

}  // namespace nbody
