#pragma once

#include <cstdint>
#include <string>

namespace nbody {

// What machines on paper are made of: a number made of the letters of the authors' names alone, the
// same on every machine, whatever their case. No letter: throws std::invalid_argument.
std::uint64_t hash_of_authors(const std::string& authors);

}  // namespace nbody
