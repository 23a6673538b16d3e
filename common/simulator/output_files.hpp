#pragma once

#include <filesystem>
#include <string>

namespace nbody {

// Throws InputError, which names the option, when `file` cannot be written: better before hours of
// computing than after them. Creates the file's folder and leaves nothing else.
void refuse_unwritable(const std::string& option, const std::filesystem::path& file);

}  // namespace nbody
