#pragma once

#include <filesystem>
#include <string>

namespace nbody {

// All throw InputError with one line that names the file.

std::string read_text_file(const std::filesystem::path& file);

// All or nothing: written under a temporary name beside the target, then renamed. The folder
// must be there. A device or a pipe is written to directly.
void write_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace nbody
