#pragma once

#include <string>
#include <vector>

namespace nbody::command_line {

constexpr std::size_t screen_width = 100;

// A text in lines, cut at blanks: the first line indented by `first` blanks, the others by
// `others`.
std::string paragraph(const std::string& text, std::size_t first, std::size_t others);

// An aligned table of text. A column whose title starts with '>' is aligned to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> titles);
  void add_row(std::vector<std::string> cells);  // missing cells are empty
  void add_line();                               // a rule across
  bool empty() const { return rows_.empty(); }
  // Two blanks between columns, every line indented and ended by a newline.
  std::string text(std::size_t indent = 2) const;

 private:
  std::vector<std::string> titles_;
  std::vector<bool> to_the_right_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule

  std::vector<std::size_t> widths() const;
};

}  // namespace nbody::command_line
