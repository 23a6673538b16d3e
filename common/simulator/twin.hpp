#pragma once

#include <string>

namespace nbody {

// Float and double are separate programs, side by side: NAME and NAME_double. Returns the name of
// the other one.
std::string twin_of(const std::string& program);

// Becomes the twin of this program, with the same arguments. Throws InputError if there is none.
[[noreturn]] void become_twin(char** argv);

// A program of several processes cannot become another one: throws, naming the one to start.
[[noreturn]] void refuse_twin(const std::string& program);

}  // namespace nbody
