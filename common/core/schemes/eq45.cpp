#include "core/scheme.hpp"

namespace nbody {

// Kick by half a step, drift, kick by half a step, all with the accelerations at the start. The
// second kick comes too early: after another force evaluation it would be kdk, of second order.
extern const Scheme eq45 = {.name = "eq45",
                            .summary = "Eq. 4 and 5: the lab's own (default)",
                            .source = "docs/physics.md",
                            .order = 1,
                            .sequence = {{Move::accelerations}, {Move::update}}};

}  // namespace nbody
