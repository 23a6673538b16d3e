#include "notebook/notebook_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "bodies/words.hpp"
#include "notebook/markdown.hpp"

namespace nbody {

namespace fs = std::filesystem;

namespace {

constexpr const char* threads_ending = ".threads";
constexpr double most_threads = 4096;

// Root may write what is read-only; it is meant all the same.
bool is_read_only(const fs::path& file) {
  const auto permissions = fs::status(file).permissions();
  return (permissions & fs::perms::owner_write) == fs::perms::none ||
         access(file.c_str(), W_OK) != 0;
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

fs::path kept_source(const fs::path& folder, int number, const std::string& name,
                     const fs::path& source) {
  return folder / "notebook" / fmt::format("{:03}_{}{}", number, name, source.extension().string());
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

// Empty for a row whose cells make no file name: its student wrote in them.
fs::path KeptPrograms::file_of(const NotebookRow& row) const {
  const std::string name = row.number + "_" + row.date + "_" + row.name;
  const char* letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
  return name.find_first_not_of(letters) == std::string::npos ? folder_ / name : fs::path();
}

std::optional<fs::path> KeptPrograms::of(const NotebookRow& row) const {
  std::error_code none;
  const fs::path file = file_of(row);
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  return file;
}

std::optional<unsigned> KeptPrograms::threads_of(const NotebookRow& row) const {
  std::error_code none;
  const fs::path file = file_of(row).string() + threads_ending;
  if (!of(row) || !fs::is_regular_file(file, none)) return std::nullopt;
  const auto threads = finite_number(trimmed(read_text_file(file)));
  if (!threads || !(*threads >= 0 && *threads <= most_threads)) return std::nullopt;
  return static_cast<unsigned>(*threads);
}

void KeptPrograms::keep(const fs::path& program, const NotebookRow& row, unsigned threads) const {
  const fs::path file = file_of(row), unfinished = folder_ / "unfinished.new";
  if (file.empty()) return;
  fs::create_directories(folder_);
  write_text_file(file.string() + threads_ending, fmt::format("{}\n", threads));
  fs::copy_file(program, unfinished, fs::copy_options::overwrite_existing);
  fs::rename(unfinished, file);
}

}  // namespace nbody
