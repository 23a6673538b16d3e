#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace nbody {

// Throws InputError, naming the option, if `file` cannot be written: before hours of computing, not
// after. Creates the file's folder and nothing else.
void refuse_unwritable(const std::string& option, const std::filesystem::path& file);

// A file that grows line by line and is valid after each.
class LinesFile {
 public:
  explicit LinesFile(std::filesystem::path file) : file_(std::move(file)), stream_(file_) {}
  void add(const std::string& line);  // throws InputError when the disk is full

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
  std::uintmax_t whole_ = 0;  // bytes
};

}  // namespace nbody
