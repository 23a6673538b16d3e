#pragma once

#include "protocol/messages.hpp"

namespace nbody::protocol {

// The hello of the test servers.
inline Hello honest_hello() {
  return {Precision::double_precision, true, 1, "test", "server", "avx2"};
}

// What a correct simulator answers, computed in double, one thread, Eq. 1-5.
Answer honest_answer(const Request& request);

}  // namespace nbody::protocol
