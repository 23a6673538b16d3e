#pragma once

#include "omp_simd.hpp"

namespace nbody {

// Problem: the Hermite integrator needs the jerk da/dt, and naive's version is scalar.
// Idea: what omp_simd does for the accelerations, with three more sums.
// Changed: accelerations_and_jerk() is overridden. See docs/integrators.md.
class Jerk : public OmpSimd {
 public:
  using OmpSimd::OmpSimd;

  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real *mass = bodies.mass.data(), *qx = bodies.qx.data(), *qy = bodies.qy.data(),
               *qz = bodies.qz.data(), *vx = bodies.vx.data(), *vy = bodies.vy.data(),
               *vz = bodies.vz.data();
    for (std::size_t i = 0; i < n; ++i) {
      const real x = qx[i], y = qy[i], z = qz[i], u = vx[i], v = vy[i], w = vz[i];
      real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
#pragma omp simd reduction(+ : ax, ay, az, jx, jy, jz)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = qx[j] - x, dvx = vx[j] - u;
        const real dy = qy[j] - y, dvy = vy[j] - v;
        const real dz = qz[j] - z, dvz = vz[j] - w;
        const real r2 = dx * dx + dy * dy + dz * dz + softening2;
        const real pull = r2 > 0 ? mass[j] / (r2 * std::sqrt(r2)) : 0;
        const real approach = r2 > 0 ? 3 * (dx * dvx + dy * dvy + dz * dvz) / r2 : 0;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
        jx += pull * (dvx - approach * dx);
        jy += pull * (dvy - approach * dy);
        jz += pull * (dvz - approach * dz);
      }
      a.x[i] = G * ax;
      a.y[i] = G * ay;
      a.z[i] = G * az;
      jerk.x[i] = G * jx;
      jerk.y[i] = G * jy;
      jerk.z[i] = G * jz;
    }
  }
};

}  // namespace nbody
