#pragma once

#include <filesystem>
#include <string>

namespace nbody {

// Throws InputError, naming the option, if `file` cannot be written: before hours of computing, not
// after. Creates the file's folder and nothing else.
void refuse_unwritable(const std::string& option, const std::filesystem::path& file);

}  // namespace nbody
