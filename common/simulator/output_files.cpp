#include "simulator/output_files.hpp"

#include <system_error>

#include "core/input_error.hpp"
#include "core/text_file.hpp"

namespace nbody {

void refuse_unwritable(const std::string& option, const std::filesystem::path& file) {
  std::error_code ignored;  // demand_writable() says what is wrong
  // Not those above it: a mistyped path makes no tree.
  std::filesystem::create_directory(file.parent_path(), ignored);
  try {
    demand_writable(file);
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

void LinesFile::add(const std::string& line) {
  stream_ << line << '\n' << std::flush;
  if (stream_) {
    whole_ += line.size() + 1;
    return;
  }
  stream_.close();
  std::error_code ignored;
  std::filesystem::resize_file(file_, whole_, ignored);
  throw InputError(file_.string() +
                   ": cannot be written (disk full?): make room; the file ends with its last whole "
                   "line");
}

}  // namespace nbody
