#include "physics/schemes.hpp"

namespace nbody {

// The accelerations at the end of a step serve the next one too: one evaluation a step.
static const std::vector<Letter> leapfrog = {
    {Move::kick, 0.5}, {Move::drift}, {Move::accelerations}, {Move::kick, 0.5}};

const Scheme kdk = {
    "kdk",
    "leapfrog, kick-drift-kick (velocity Verlet)",
    "Verlet, Physical Review 159, 98 (1967); Swope et al., J. Chem. Phys. 76, 637 (1982)",
    2,
    true,
    true,
    1,
    Kind::word,
    leapfrog};

// A step that depends on where it starts makes of leapfrog a scheme that drifts; a step that looks
// the same from both ends does not. It takes two corrections, each of which goes back and does the
// step again.
const Scheme kdk_symmetric = {"kdk-symmetric",
                              "kdk; with --vdt a step that both its ends agree on",
                              "Hut, Makino, McMillan, Astrophysical Journal 443, L93 (1995)",
                              2,
                              true,
                              true,
                              1,
                              Kind::word,
                              leapfrog,
                              {},
                              true};

}  // namespace nbody
