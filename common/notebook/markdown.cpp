#include "notebook/markdown.hpp"

namespace nbody {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string line_ending_of(const std::string& line) {
  return line.size() >= 2 && line[line.size() - 2] == '\r' ? "\r\n" : "\n";
}

std::vector<std::string> cells_of(const std::string& line) {
  const std::string row = trimmed(line);
  std::vector<std::string> cells;
  if (row.empty() || row.front() != '|') return cells;
  std::string cell;
  for (std::size_t k = 1; k < row.size(); ++k) {
    if (row[k] == '\\' && k + 1 < row.size() && row[k + 1] == '|') {
      cell += row[++k];
    } else if (row[k] == '|') {
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += row[k];
    }
  }
  if (!trimmed(cell).empty()) cells.push_back(trimmed(cell));  // the last `|` may be missing
  return cells;
}

std::string row_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    std::string written;
    for (const char c : cell) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '|') written += '\\';
      written += byte < 0x20 || byte == 0x7f ? ' ' : c;
    }
    line += " " + trimmed(written) + " |";
  }
  return line;
}

}  // namespace nbody
