#include "simulator/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "bodies/input_error.hpp"

namespace nbody {

namespace fs = std::filesystem;

void refuse_unwritable(const std::string& option, const fs::path& file) {
  const auto refuse = [&](const std::error_code& why) {
    throw InputError(fmt::format("{}: {} cannot be written ({}): choose another place", option,
                                 file.string(), why.message()));
  };
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!folder.empty() && fs::status(folder, error).type() == fs::file_type::not_found) {
    // The folder of a run's output files is created, but not those above it.
    const bool creates = option != "--json";
    const fs::path above = creates ? folder.parent_path() : folder;
    if (!creates || (!above.empty() && !fs::exists(above, error))) {
      throw InputError(
          fmt::format("{}: {} cannot be written (no folder {}): create it or choose another place",
                      option, file.string(), above.string()));
    }
    fs::create_directory(folder, error);
    if (error) refuse(error);
  }
  if (fs::is_directory(file, error)) refuse(std::make_error_code(std::errc::is_a_directory));
  // A device or a pipe already exists.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return;

  // Files are written under another name and renamed, so the folder must be writable, not the file.
  const fs::path probe = fmt::format("{}.{}.tmp", file.string(), ::getpid());
  std::FILE* const opened = std::fopen(probe.c_str(), "wb");
  if (opened == nullptr) refuse(std::error_code(errno, std::generic_category()));
  std::fclose(opened);
  fs::remove(probe, error);
}

}  // namespace nbody
