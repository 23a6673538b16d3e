#include "physics/schemes.hpp"

namespace nbody {

// The forces are computed in the middle of the step. With --vdt the step is chosen by the forces
// of the middle of the step before.
const Scheme dkd = {"dkd",
                    "leapfrog, drift-kick-drift (position Verlet)",
                    "Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1.4",
                    2,
                    true,
                    true,
                    1,
                    Kind::word,
                    {{Move::drift, 0.5}, {Move::accelerations}, {Move::kick}, {Move::drift, 0.5}}};

}  // namespace nbody
