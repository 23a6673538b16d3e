#include "core/scheme.hpp"

namespace nbody {

// Position and velocity both use the values at the start of the step: a planet spirals out.
extern const Scheme euler = {
    .name = "euler",
    .summary = "explicit Euler: everything with the old values",
    .source = "Euler, Institutionum calculi integralis, vol. 1 (1768), section 650",
    .order = 1,
    .sequence = {{Move::accelerations}, {Move::drift}, {Move::kick}}};

}  // namespace nbody
