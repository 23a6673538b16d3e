#pragma once

#include <filesystem>

namespace nbody {

// How many ideas were predicted and measured: rows of the table in NOTEBOOK.md, which start with
// their number. 0 without a file.
int count_notebook_rows(const std::filesystem::path& notebook);

}  // namespace nbody
