#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nbody {

// A picture that gnuplot draws: data and script are kept beside it, to be changed and drawn again.
struct Picture {
  std::string name;      // of its files: NAME.dat, NAME.gp, NAME.svg, NAME.png
  std::string data;      // blocks apart by two empty lines
  std::string commands;  // they draw; 'NAME.dat' is what they read
  std::string caption;   // small, at the lower edge
  int width = 900, height = 540;
};

// The whole of NAME.gp.
std::string script_of(const Picture& picture);

// Writes data and scripts, and runs gnuplot on them. A line for each picture, or one that says what
// to install: without gnuplot the data are there all the same. Throws InputError.
std::string draw(const std::vector<Picture>& pictures, const std::filesystem::path& folder);

// The k-th style of a line: a colour that the colour-blind can tell from its neighbours, a dash
// type once the colours are used up, a point of its own.
std::string line_style(std::size_t k);

std::string quoted(const std::string& text);  // for a script: 'it''s'

}  // namespace nbody
