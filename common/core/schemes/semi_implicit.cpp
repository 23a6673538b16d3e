#include "core/scheme.hpp"

namespace nbody {

// Euler with one line moved: the position with the new velocity. First order, yet symplectic: the
// energy oscillates but does not drift. With --damping it is the scheme of NVIDIA's sample and GPU
// Gems 3.
extern const Scheme semi_implicit = {
    .name = "semi-implicit",
    .summary = "Euler, but drift with the new velocity",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1.2",
    .order = 1,
    .symplectic = true,
    .sequence = {{Move::accelerations}, {Move::kick}, {Move::drift}}};

}  // namespace nbody
