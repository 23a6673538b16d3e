#include "core/scheme.hpp"

namespace nbody {

// Exact to fourth order, but not symplectic: the energy drifts with time.
extern const Scheme rk4 = {
    .name = "rk4",
    .summary = "the classical Runge-Kutta method, fourth order",
    .source = "Kutta, Zeitschrift fuer Mathematik und Physik 46, 435 (1901)",
    .order = 4,
    .evaluations = 4,
    .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};

}  // namespace nbody
