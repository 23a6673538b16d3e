#pragma once

#include "protocol/messages.hpp"

namespace nbody {

// What a correct simulator answers, computed in double, one thread, Eq. 1-5.
Answer honest_answer(const Request& request);

}  // namespace nbody
