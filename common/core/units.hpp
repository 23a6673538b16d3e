#pragma once

#include <cmath>

#include "core/bodies.hpp"
#include "core/scene.hpp"

namespace nbody {

// SI values leave the range of float: G m_i m_j of Sun and Earth is 8e44, 1/d^3 at Neptune is
// subnormal. So simulators compute in working units: lengths, masses and times divided by powers of
// two, which change no mantissa bit. docs/physics.md derives the exponents.
struct Units {
  int length = 0;  // one working length is 2^length m
  int mass = 0;    // one working mass is 2^mass kg
  int time = 0;    // one working time is 2^time s

  // The length unit bounds every |coordinate| below 1, the mass unit every mass; the time unit
  // brings G near 1. If extent, mass or G is zero, its exponent is 0.
  static Units for_bodies(const Bodies<double>& bodies, double G);

  double to_length(double metres) const { return std::ldexp(metres, -length); }
  double to_time(double seconds) const { return std::ldexp(seconds, -time); }
  double to_G(double G) const { return std::ldexp(G, mass + 2 * time - 3 * length); }

  Bodies<double> to_working(const Bodies<double>& si) const;
  // Positions and velocities back to SI; masses and radii too.
  Bodies<double> to_si(const Bodies<double>& working) const;
  Vectors<double> acceleration_to_si(const Vectors<double>& working) const;
  double time_to_si(double working) const { return std::ldexp(working, time); }
};

// Rounds every mantissa to the 24 bits of a float, keeping the exponent range of double: float and
// double simulators then start from the same numbers.
Bodies<double> rounded_to_float(const Bodies<double>& bodies);
double rounded_to_float(double value);

}  // namespace nbody
