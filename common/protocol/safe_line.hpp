#pragma once

#include <string>
#include <string_view>

namespace nbody {

// Text of a program that is not trusted, safe to print on one line: every byte that is no printable
// ASCII character becomes '?', and what is too long ends in "...".
std::string safe_line(std::string_view text, std::size_t max_size = 200);

}  // namespace nbody
