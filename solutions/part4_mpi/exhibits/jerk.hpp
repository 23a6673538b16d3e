#pragma once

#include "../01_allgather.hpp"

namespace nbody {

// Problem: the Hermite integrator needs the jerk da/dt, and allgather has none.
// Idea: the jerk depends on relative velocities, so these travel, too: 12 bytes per body in
// addition to 16, in a second MPI_Allgatherv. Each rank computes both sums for its own bodies.
// Changed: accelerations_and_jerk() is here. See docs/integrators.md.
// Predicted: 0.6 of allgather's speed per evaluation: twice the flops (part 2).
// Measured: not yet on a quiet machine. The host of hermite4 pays more: it makes new simulators at
// each step, and sends all bodies to each rank.
class Jerk : public Allgather {
 public:
  using Allgather::Allgather;

  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const std::vector<Vector> velocities = of_all_ranks(velocity);
    std::vector<Vector> jerks(own.size(), Vector{0, 0, 0});
    std::fill(acceleration.begin(), acceleration.end(), Vector{0, 0, 0});
    visit_all([&](const Source* sources, int first, int count) {
      if (charged(2 * double(own.size()) * count)) return;  // twice the flops
      for (std::size_t i = 0; i < own.size(); ++i) {
        add_pulls_and_jerks_on(i, sources, &velocities[first], count, jerks[i]);
      }
    });
    copy_to_rank_0(acceleration, a);
    copy_to_rank_0(jerks, jerk);
  }

 protected:
  void add_pulls_and_jerks_on(std::size_t i, const Source* sources, const Vector* velocities,
                              int count, Vector& jerk) {
    const Source me = own[i];
    const Vector mine = velocity[i];
    real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
#pragma omp simd reduction(+ : ax, ay, az, jx, jy, jz)
    for (int j = 0; j < count; ++j) {
      const real dx = sources[j].x - me.x, dvx = velocities[j].x - mine.x;
      const real dy = sources[j].y - me.y, dvy = velocities[j].y - mine.y;
      const real dz = sources[j].z - me.z, dvz = velocities[j].z - mine.z;
      const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      // The body does not pull itself.
      const real pull = r2 > 0 ? sources[j].mass / (r2 * std::sqrt(r2)) : 0;
      const real approach = r2 > 0 ? 3 * (dx * dvx + dy * dvy + dz * dvz) / r2 : 0;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      jx += pull * (dvx - approach * dx);
      jy += pull * (dvy - approach * dy);
      jz += pull * (dvz - approach * dz);
    }
    acceleration[i] = {acceleration[i].x + G * ax, acceleration[i].y + G * ay,
                       acceleration[i].z + G * az};
    jerk = {jerk.x + G * jx, jerk.y + G * jy, jerk.z + G * jz};
  }
};

}  // namespace nbody
