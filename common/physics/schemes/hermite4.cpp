#include "physics/schemes.hpp"

namespace nbody {

// Predicts by a Taylor series with the jerk da/dt, computes accelerations and jerk there, and
// corrects by the Hermite interpolation between both ends (P(EC)^1).
const Scheme hermite4 = {"hermite4",
                         "fourth order: predict and correct by the jerk",
                         "Makino, Aarseth, Publ. Astron. Soc. Japan 44, 141 (1992)",
                         4,
                         false,
                         false,
                         1,
                         Kind::hermite};

}  // namespace nbody
