#pragma once

#include <string>
#include <string_view>

namespace nbody::protocol {

// Text of an untrusted program, safe to print on one line: every byte that is not printable ASCII
// becomes '?', and a long text is cut and ends in "...".
std::string safe_line(std::string_view text, std::size_t max_size = 200);

}  // namespace nbody::protocol
