#pragma once

#include <cstddef>
#include <vector>

#include "core/bodies.hpp"
#include "core/scene.hpp"

namespace nbody {

// The reference that every implementation is checked against: direct sums in double on the CPU.
// Equation numbers are those of docs/physics.md.

struct Reference {
  Vectors<double> acceleration;   // a_i, m/s^2
  std::vector<double> magnitude;  // sum_j |a_ij|, m/s^2: the scale that errors are measured on
};

// Eq. 1-3 for all bodies, or for the given rows only (result k belongs to body rows[k]).
Reference reference_accelerations(const Bodies<double>& bodies, double G, double softening);
Reference reference_accelerations(const Bodies<double>& bodies, double G, double softening,
                                  const std::vector<std::size_t>& rows);

// Eq. 8, da/dt: G sum m_j (v_ij / r^3 - 3 (r_ij . v_ij) r_ij / r^5) with the softened r; m/s^3.
Vectors<double> reference_jerk(const Bodies<double>& bodies, double G, double softening);

// Eq. 7: the smallest dt_i over all bodies; infinity if there is none (a single body, or no motion
// and no forces).
double reference_time_step(const Bodies<double>& bodies, const Vectors<double>& acceleration);
// The smallest of the given rows only (acceleration k is that of body rows[k]).
double reference_time_step(const Bodies<double>& bodies, const Vectors<double>& acceleration,
                           const std::vector<std::size_t>& rows);

// The adaptive step of a run, from the result of Eq. 7: never below the floor; the fixed step if
// Eq. 7 has none.
double adaptive_step(double largest, const Setting& setting);

// Eq. 4 and 5: q += v dt + a dt^2/2 with the old v, then v += a dt.
void reference_update(Bodies<double>& bodies, const Vectors<double>& acceleration, double dt);

}  // namespace nbody
