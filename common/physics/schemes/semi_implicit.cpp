#include "physics/schemes.hpp"

namespace nbody {

// Euler with one line moved: the position with the new velocity. First order, yet symplectic: the
// energy swings and does not drift. With --damping it is what NVIDIA's sample and GPU Gems 3 do.
const Scheme semi_implicit = {
    "semi-implicit",
    "Euler, but drift with the new velocity",
    "Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1.2",
    1,
    false,
    true,
    1,
    Kind::word,
    {{Move::accelerations}, {Move::kick}, {Move::drift}}};

}  // namespace nbody
