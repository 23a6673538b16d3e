#include "core/units.hpp"

#include <algorithm>
#include <cmath>

namespace nbody {
namespace {

// The smallest e with every |value| < 2^e; 0 when all are zero.
int bounding_exponent(std::initializer_list<const std::vector<double>*> columns) {
  double largest = 0;
  for (const auto* column : columns) {
    for (const double value : *column) largest = std::max(largest, std::abs(value));
  }
  return largest == 0 ? 0 : std::ilogb(largest) + 1;
}

std::vector<double> scaled(std::vector<double> values, int exponent) {
  for (double& value : values) value = std::ldexp(value, exponent);
  return values;
}

Bodies<double> scaled(const Bodies<double>& bodies, int mass, int length, int velocity) {
  return {scaled(bodies.mass, mass),   scaled(bodies.radius, length), scaled(bodies.qx, length),
          scaled(bodies.qy, length),   scaled(bodies.qz, length),     scaled(bodies.vx, velocity),
          scaled(bodies.vy, velocity), scaled(bodies.vz, velocity)};
}

Vectors<double> scaled(const Vectors<double>& v, int exponent) {
  return {scaled(v.x, exponent), scaled(v.y, exponent), scaled(v.z, exponent)};
}

}  // namespace

Units Units::for_bodies(const Bodies<double>& bodies, double G) {
  Units units;
  units.length = bounding_exponent({&bodies.qx, &bodies.qy, &bodies.qz});
  units.mass = bounding_exponent({&bodies.mass});
  // G has the unit length^3 / (mass time^2): this time unit leaves it in [1/2, 2).
  // Shifting rounds down.
  if (G != 0) units.time = (3 * units.length - units.mass - std::ilogb(G)) >> 1;
  return units;
}

Bodies<double> Units::to_working(const Bodies<double>& si) const {
  return scaled(si, -mass, -length, time - length);
}

Bodies<double> Units::to_si(const Bodies<double>& working) const {
  return scaled(working, mass, length, length - time);
}

Vectors<double> Units::acceleration_to_si(const Vectors<double>& working) const {
  return scaled(working, length - 2 * time);
}

double rounded_to_float(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(static_cast<double>(static_cast<float>(mantissa)), exponent);
}

Bodies<double> rounded_to_float(const Bodies<double>& bodies) {
  Bodies<double> result = bodies;
  for (auto* column : result.columns()) {
    for (double& value : *column) value = rounded_to_float(value);
  }
  return result;
}

}  // namespace nbody
