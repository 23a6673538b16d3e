#pragma once

#include <string_view>

namespace nbody {

// A property of every text: it is refused with one readable line, or it is a scene that survives
// being written and read again bit for bit. Returns what is wrong, or nullptr.
const char* broken_body_file_property(std::string_view text);

}  // namespace nbody
