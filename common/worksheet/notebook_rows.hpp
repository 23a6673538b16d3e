#pragma once

#include <filesystem>

namespace nbody {

// How many ideas were predicted, measured and right: rows of the table in NOTEBOOK.md. 0 without a
// file.
int count_notebook_rows(const std::filesystem::path& notebook);

}  // namespace nbody
