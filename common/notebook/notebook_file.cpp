#include "notebook/notebook_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"

namespace nbody {

namespace fs = std::filesystem;

namespace {

// Root may write what is read-only; it is meant all the same.
bool is_read_only(const fs::path& file) {
  const auto permissions = fs::status(file).permissions();
  return (permissions & fs::perms::owner_write) == fs::perms::none ||
         access(file.c_str(), W_OK) != 0;
}

std::string note_of(const NotebookRow& row) {
  return row.number + " " + row.date + " " + row.name + "\n";
}

}  // namespace

fs::path notebook_in(const fs::path& folder) { return folder / "NOTEBOOK.md"; }

std::string read_notebook(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_symlink(file, ignored)) {
    throw InputError(
        fmt::format("{}: is a symbolic link: put the file itself there", file.string()));
  }
  if (!fs::exists(file, ignored)) return "";
  if (!fs::is_regular_file(file, ignored)) {
    throw InputError(fmt::format("{}: is no file: move it away", file.string()));
  }
  if (is_read_only(file)) {
    throw InputError(fmt::format("{0}: is read-only: chmod u+w {0}", file.string()));
  }
  return read_text_file(file);
}

fs::path kept_source(const fs::path& folder, int number, const std::string& name) {
  return folder / "notebook" / fmt::format("{:03}_{}.hpp", number, name);
}

int free_number(const fs::path& folder, int number) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "notebook", none)) {
    const std::string name = entry.path().filename().string();
    const std::size_t digits = name.find_first_not_of("0123456789");
    if (digits == 0 || digits > 6) continue;
    number = std::max(number, std::stoi(name.substr(0, digits)) + 1);
  }
  return number;
}

std::optional<fs::path> LastProgram::of(const NotebookRow& row) const {
  std::error_code none;
  if (!fs::is_regular_file(folder_ / "last", none)) return std::nullopt;
  if (!fs::is_regular_file(folder_ / "last.row", none)) return std::nullopt;
  if (read_text_file(folder_ / "last.row") != note_of(row)) return std::nullopt;
  return folder_ / "last";
}

void LastProgram::keep(const fs::path& program, const NotebookRow& row) const {
  fs::create_directories(folder_);
  // The note goes first and comes last: a program without its own note is never used.
  fs::remove(folder_ / "last.row");
  fs::copy_file(program, folder_ / "last.new", fs::copy_options::overwrite_existing);
  fs::rename(folder_ / "last.new", folder_ / "last");
  write_text_file(folder_ / "last.row", note_of(row));
}

}  // namespace nbody
