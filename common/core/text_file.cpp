#include "core/text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/input_error.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const char* what, const std::string& why,
                       const char* advice) {
  throw InputError(
      fmt::format("{}: cannot be {} ({}): {}", printable(file.string()), what, why, advice));
}

// Returns 0 or the error number. A full disk may show only when the buffers are flushed.
int write_text(const fs::path& file, const std::string& text) {
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (out == nullptr) return errno;
  const bool whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int error = whole ? 0 : errno;
  return std::fclose(out) == 0 || !whole ? error : errno;
}

bool is_device(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) && !fs::is_regular_file(file, ignored);
}

// Returns 0 or the error number. In the second case nothing is left behind.
int write(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return EISDIR;
  // Renaming a file onto a device or a pipe would replace it.
  if (is_device(file)) return write_text(file, text);
  const fs::path temporary = fmt::format("{}.{}.tmp", file.string(), getpid());
  int error = write_text(temporary, text);
  if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  fs::remove(temporary, ignored);
  return error;
}

}  // namespace

std::string read_text_file(const fs::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"),
                                                           std::fclose);
  if (!in) fail(file, "read", std::strerror(errno), "check the name");
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t size = std::fread(chunk, 1, sizeof chunk, in.get())) {
    text.append(chunk, size);
  }
  if (std::ferror(in.get())) fail(file, "read", std::strerror(errno), "check the name");
  return text;
}

void write_text_file(const fs::path& file, const std::string& text) {
  const fs::path folder = file.parent_path();
  std::error_code ignored;
  // Not created: a missing folder is usually a misspelled one.
  if (!folder.empty() && fs::status(folder, ignored).type() == fs::file_type::not_found) {
    fail(file, "written", "no folder " + printable(folder.string()),
         "create it or choose another place");
  }
  if (const int error = write(file, text)) {
    fail(file, "written", std::strerror(error), "choose another place or make room");
  }
}

}  // namespace nbody
