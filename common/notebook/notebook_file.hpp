#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "notebook/rows.hpp"

namespace nbody {

// The notebook of a part: NOTEBOOK.md in its folder, a file that the student writes in too.

std::filesystem::path notebook_in(const std::filesystem::path& folder);

// Its text, empty when there is none yet. Throws InputError for one that must not be replaced: a
// link, a folder, a file that is read-only.
std::string read_notebook(const std::filesystem::path& file);

// Sources are kept as FOLDER/notebook/003_mine.hpp (.cuh in part 3). A number that already has one
// is passed over, so that no kept source is ever replaced.
std::filesystem::path kept_source(const std::filesystem::path& folder, int number,
                                  const std::string& name, const std::filesystem::path& source);
int free_number(const std::filesystem::path& folder, int number);

// The programs of right rows, so that later ones can be timed beside them. They lie in the build
// folder, under number, date and name of their row.
class KeptPrograms {
 public:
  explicit KeptPrograms(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Empty when it is gone.
  std::optional<std::filesystem::path> of(const NotebookRow& row) const;
  // The threads that it was measured with; 0: its own default. Empty when nobody noted them.
  std::optional<unsigned> threads_of(const NotebookRow& row) const;
  void keep(const std::filesystem::path& program, const NotebookRow& row, unsigned threads) const;

 private:
  std::filesystem::path file_of(const NotebookRow& row) const;

  std::filesystem::path folder_;
};

}  // namespace nbody
