#pragma once

#include <cstddef>

namespace nbody {

// Throws InputError when this machine's memory cannot hold so many bodies and an implementation's
// copies of them. Asked before they are made: where memory is promised freely, a program that
// takes too much is killed without a word.
void refuse_more_than_memory(std::size_t bodies);

}  // namespace nbody
