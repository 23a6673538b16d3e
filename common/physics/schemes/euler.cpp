#include "physics/schemes.hpp"

namespace nbody {

// Position and velocity both with what was known at the start of the step: a planet spirals out.
const Scheme euler = {"euler",
                      "explicit Euler: everything with the old values",
                      "Euler, Institutionum calculi integralis, vol. 1 (1768), section 650",
                      1,
                      false,
                      false,
                      1,
                      Kind::word,
                      {{Move::accelerations}, {Move::drift}, {Move::kick}}};

}  // namespace nbody
