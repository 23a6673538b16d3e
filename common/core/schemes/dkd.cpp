#include "core/scheme.hpp"

namespace nbody {

// The forces are computed in the middle of the step. With --vdt the step is chosen from the forces
// in the middle of the previous step.
extern const Scheme dkd = {
    .name = "dkd",
    .summary = "leapfrog, drift-kick-drift (position Verlet)",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1.4",
    .order = 2,
    .time_symmetric = true,
    .symplectic = true,
    .sequence = {{Move::drift, 0.5}, {Move::accelerations}, {Move::kick}, {Move::drift, 0.5}}};

}  // namespace nbody
