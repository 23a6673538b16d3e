#include "command_line/table.hpp"

#include <algorithm>
#include <sstream>

namespace nbody::command_line {
namespace {

// The lines of a text, cut at blanks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::string& last = lines.back();
    if (!last.empty() && last.size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      last += (last.empty() ? "" : " ") + word;
    }
  }
  return lines;
}

}  // namespace

std::string paragraph(const std::string& text, std::size_t first, std::size_t others) {
  std::string result;
  for (const std::string& line : wrapped(text, screen_width - std::max(first, others))) {
    result += std::string(result.empty() ? first : others, ' ') + line + "\n";
  }
  return result;
}

Table::Table(std::vector<std::string> titles) : titles_(std::move(titles)) {
  for (auto& title : titles_) {
    to_the_right_.push_back(!title.empty() && title.front() == '>');
    if (to_the_right_.back()) title.erase(0, 1);
  }
}

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(titles_.size());
  rows_.push_back(std::move(cells));
}

void Table::add_line() { rows_.emplace_back(); }

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < titles_.size(); ++column) {
    widths.push_back(titles_[column].size());
    for (const auto& row : rows_) {
      if (!row.empty()) widths[column] = std::max(widths[column], row[column].size());
    }
  }
  return widths;
}

std::string Table::text(std::size_t indent) const {
  const std::vector<std::size_t> widths = this->widths();
  const auto line = [&](const std::vector<std::string>& cells, char fill) {
    std::string text(indent, ' ');
    for (std::size_t column = 0; column < titles_.size(); ++column) {
      const std::string cell = cells.empty() ? std::string(widths[column], fill) : cells[column];
      const std::string padding(widths[column] - cell.size(), ' ');
      text += (column > 0 ? "  " : "") + (to_the_right_[column] ? padding + cell : cell + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(titles_, ' ') + line({}, '-');
  for (const auto& row : rows_) text += line(row, '-');
  return text;
}

}  // namespace nbody::command_line
