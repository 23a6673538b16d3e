#pragma once

#include <cstddef>

namespace nbody {

// Throws InputError if this machine's memory cannot hold that many bodies and an implementation's
// copies. Checked before allocating: where the system overcommits memory, a program that uses too
// much is killed without a message.
void refuse_more_than_memory(std::size_t bodies);

}  // namespace nbody
