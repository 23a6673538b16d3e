#include "physics/schemes.hpp"

namespace nbody {

// Exact to fourth order, and blind to what gravity keeps: the energy drifts with time.
const Scheme rk4 = {"rk4",
                    "the classical Runge-Kutta method, fourth order",
                    "Kutta, Zeitschrift fuer Mathematik und Physik 46, 435 (1901)",
                    4,
                    false,
                    false,
                    4,
                    Kind::runge_kutta,
                    {},
                    {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};

}  // namespace nbody
