#include "physics/schemes.hpp"

namespace nbody {

// Kick by half a step, drift, kick by half a step, all with the accelerations at the start. The
// second kick comes too early: one force evaluation later it would be kdk, of second order.
const Scheme eq45 = {
    "eq45",     "Eq. 4 and 5: the lab's own (default)", "docs/physics.md", 1, false, false, 1,
    Kind::word, {{Move::accelerations}, {Move::update}}};

}  // namespace nbody
