#include "core/scheme.hpp"

namespace nbody {

// Predicts by a Taylor series with the jerk da/dt, computes accelerations and jerk there, and
// corrects by the Hermite interpolation between both ends (P(EC)^1).
extern const Scheme hermite4 = {
    .name = "hermite4",
    .summary = "fourth order: predict and correct by the jerk",
    .source = "Makino, Aarseth, Publ. Astron. Soc. Japan 44, 141 (1992)",
    .order = 4,
    .hermite = true};

}  // namespace nbody
