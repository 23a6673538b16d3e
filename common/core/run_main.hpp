#pragma once

#include <functional>

namespace nbody {

// The main function of the lab's programs. What `body` throws becomes one line on standard error,
// "PROGRAM: what is wrong", and status 2, as does output that cannot be written.
int run_main(const char* program, const std::function<int()>& body);

}  // namespace nbody
