#include "core/text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/input_error.hpp"
#include "core/words.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail_to_read(const fs::path& file, int error) {
  throw InputError(fmt::format("{}: cannot be read ({}): check the name", printable(file.string()),
                               std::strerror(error)));
}

[[noreturn]] void fail_to_write(const fs::path& file, int error) {
  throw InputError(fmt::format("{}: cannot be written ({}): choose another place or make room",
                               printable(file.string()), std::strerror(error)));
}

// Returns 0 or the error number. A full disk may show only when the buffers are flushed.
int write_text(const fs::path& file, const std::string& text) {
  File out(std::fopen(file.c_str(), "wb"));
  if (!out) return errno;
  if (std::fwrite(text.data(), 1, text.size(), out.get()) != text.size()) return errno;
  if (std::fclose(out.release()) != 0) return errno;
  return 0;
}

// Not created: a missing folder is usually a misspelled one.
void demand_folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  std::error_code error;
  if (folder.empty() || fs::status(folder, error).type() != fs::file_type::not_found) return;
  throw InputError(
      fmt::format("{}: cannot be written (no folder {}): create it or choose another place",
                  printable(file.string()), printable(folder.string())));
}

// A device may never end.
constexpr std::size_t most_of_a_device = 64 << 20;

fs::path temporary_for(const fs::path& file) {
  return fmt::format("{}.{}.tmp", file.string(), getpid());
}

}  // namespace

std::string read_text_file(const fs::path& file) {
  const File in(std::fopen(file.c_str(), "rb"));
  if (!in) fail_to_read(file, errno);
  std::error_code ignored;
  const bool ends = fs::is_regular_file(file, ignored);
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t size = std::fread(chunk, 1, sizeof chunk, in.get())) {
    text.append(chunk, size);
    if (!ends && text.size() > most_of_a_device) {
      throw InputError(fmt::format(
          "{}: cannot be read (not a regular file, and longer than {} MiB): put it into a file",
          printable(file.string()), most_of_a_device >> 20));
    }
  }
  if (std::ferror(in.get())) fail_to_read(file, errno);
  return text;
}

void write_text_file(const fs::path& file, const std::string& text) {
  demand_folder_of(file);

  // A device or a pipe is written to; renaming a file onto it would replace it.
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
    if (const int error = write_text(file, text)) fail_to_write(file, error);
    return;
  }

  const fs::path temporary = temporary_for(file);
  int error = write_text(temporary, text);
  if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    fs::remove(temporary, ignored);
    fail_to_write(file, error);
  }
}

void demand_writable(const fs::path& file) {
  demand_folder_of(file);
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) fail_to_write(file, EISDIR);
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return;
  const fs::path temporary = temporary_for(file);
  const int error = write_text(temporary, "");
  fs::remove(temporary, ignored);
  if (error != 0) fail_to_write(file, error);
}

}  // namespace nbody
