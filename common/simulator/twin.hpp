#pragma once

#include <string>

namespace nbody {

// Float and double are programs of their own, side by side: NAME and NAME_double. The name of one
// from that of the other.
std::string twin_of(const std::string& program);

// Becomes the twin of this program, with the same words. Throws InputError where there is none.
[[noreturn]] void become_twin(char** argv);

// Several processes at once cannot become another program: which one to start.
[[noreturn]] void refuse_twin(const std::string& program);

}  // namespace nbody
