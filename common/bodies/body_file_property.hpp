#pragma once

#include <string_view>

namespace nbody {

// What holds for every text whatsoever. Returns what is wrong, or nullptr: the text is refused with
// one readable line, or it is a scene that survives being written and read again bit for bit.
const char* broken_body_file_property(std::string_view text);

}  // namespace nbody
