#pragma once

#include <vector>

#include "check/zoo/plain.hpp"
#include "simulator/half.hpp"

namespace nbody {

// Positions and distances with the 11 bits of a half, as in half2: few bodies are right to three
// digits, neighbours among many to none.
class HalfDistances : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const auto from_i_to_j = [&](const std::vector<real>& q) {
      return rounded_to_half(rounded_to_half(q[j]) - rounded_to_half(q[i]));
    };
    const Triple d{from_i_to_j(bodies.qx), from_i_to_j(bodies.qy), from_i_to_j(bodies.qz)};
    const real r2 = rounded_to_half(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    if (!(r2 > 0)) return {};  // rounded, two bodies may be at one place
    const real inverse = inverse_distance(r2);
    return d * (inverse * inverse * inverse * G * bodies.mass[j]);
  }
};

}  // namespace nbody
