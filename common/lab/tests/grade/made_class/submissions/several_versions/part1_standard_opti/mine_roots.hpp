// Honest: no call of pow().
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    for (auto& body : bodies) {
      body.ax = body.ay = body.az = 0;
      for (const auto& source : bodies) {
        if (&source != &body) add_pull(source, body);
      }
    }
  }

 private:
  void add_pull(const Body& source, Body& body) const {
    const real dx = source.qx - body.qx;
    const real dy = source.qy - body.qy;
    const real dz = source.qz - body.qz;
    const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
    const real pull = G * source.mass / (r2 * std::sqrt(r2));
    body.ax += pull * dx;
    body.ay += pull * dy;
    body.az += pull * dz;
  }
};

}  // namespace nbody
