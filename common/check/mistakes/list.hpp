#pragma once

#include <string>

namespace nbody {

// The table of docs/checking.md.
std::string markdown_table();

}  // namespace nbody
