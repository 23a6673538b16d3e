#pragma once

#include <string>

namespace nbody::check {

// The table of docs/checking.md.
std::string markdown_table();

}  // namespace nbody::check
