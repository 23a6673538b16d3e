#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace nbody {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A folder for one test, removed with everything in it.
class TestFolder {
 public:
  TestFolder() {
    std::string name = std::filesystem::temp_directory_path() / "simulator_test.XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Names of everything in it and below, sorted.
  std::vector<std::string> contents() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      names.push_back(entry.path().lexically_relative(path_));
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = 0;  // exit status, or 128 + the number of the signal
  std::string out, err;
};

// Runs lines of sh in the folder, where $naive is part 1's program.
inline Outcome shell(const TestFolder& folder, const std::string& lines) {
  const TestFolder texts;
  const std::string out = texts / "out", err = texts / "err";
  const int status =
      std::system(("{ cd '" + (folder / "").string() + "'; naive='" PROGRAM_UNDER_TEST "'\n" +
                   lines + "\n} </dev/null >'" + out + "' 2>'" + err + "'")
                      .c_str());
  return {WEXITSTATUS(status), text_of(out), text_of(err)};
}

}  // namespace nbody
