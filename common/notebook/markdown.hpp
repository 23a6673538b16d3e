#pragma once

#include <string>
#include <vector>

namespace nbody {

// As much of Markdown as a notebook needs.

// Each with its line ending, so that joining them gives the text back.
std::vector<std::string> lines_of(const std::string& text);
std::string joined(const std::vector<std::string>& lines);

std::string trimmed(const std::string& text);
std::string line_ending_of(const std::string& line);

// The cells of a table's row; empty when the line is none.
std::vector<std::string> cells_of(const std::string& line);
// "| a | b |": a `|` in a cell is escaped, line ends and the like become blanks.
std::string row_line(const std::vector<std::string>& cells);

}  // namespace nbody
