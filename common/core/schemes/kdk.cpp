#include "core/scheme.hpp"

namespace nbody {

// The accelerations at the end of a step also serve the next one: one evaluation per step.
static const std::vector<Operation> leapfrog = {
    {Move::kick, 0.5}, {Move::drift}, {Move::accelerations}, {Move::kick, 0.5}};

extern const Scheme kdk = {
    .name = "kdk",
    .summary = "leapfrog, kick-drift-kick (velocity Verlet)",
    .source = "Verlet, Physical Review 159, 98 (1967); Swope et al., J. Chem. Phys. 76, 637 (1982)",
    .order = 2,
    .time_symmetric = true,
    .symplectic = true,
    .sequence = leapfrog};

// With a step that depends on the starting point, leapfrog's energy drifts; with one that is the
// same from both ends it does not. Four corrections find it, each of which goes back and repeats
// the step: 9 evaluations.
extern const Scheme kdk_symmetric = {
    .name = "kdk-symmetric",
    .summary = "kdk; with --vdt the step is the same from both ends",
    .source = "Hut, Makino, McMillan, Astrophysical Journal 443, L93 (1995)",
    .order = 2,
    .time_symmetric = true,
    .symplectic = true,
    .sequence = leapfrog,
    .symmetric_step = true};

}  // namespace nbody
