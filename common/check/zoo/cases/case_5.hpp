#pragma once

#include <cmath>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 1 to 3, one pair after the other.
  void compute_accelerations() override {
    for (auto& target : bodies) {
      target.ax = 0;
      target.ay = 0;
      target.az = 0;
      for (const auto& source : bodies) {
        if (&source != &target) attract(target, source);
      }
    }
  }

  // Eq. 4 and 5. The host has a kick() of its own: one loop less to write.
  void update_bodies(real dt) override {
    kick(dt);
    for (auto& body : bodies) {
      body.qx += body.vx * dt + body.ax * dt * dt / 2;
      body.qy += body.vy * dt + body.ay * dt * dt / 2;
      body.qz += body.vz * dt + body.az * dt * dt / 2;
    }
  }

 private:
  void attract(Body& target, const Body& source) const {
    const real dx = source.qx - target.qx;
    const real dy = source.qy - target.qy;
    const real dz = source.qz - target.qz;
    const real distance = std::sqrt(std::pow(dx, real(2)) + std::pow(dy, real(2)) +
                                    std::pow(dz, real(2)) + std::pow(softening, real(2)));
    const real strength = G * source.mass / std::pow(distance, real(2));
    target.ax += strength * (dx / distance);
    target.ay += strength * (dy / distance);
    target.az += strength * (dz / distance);
  }
};

}  // namespace nbody
