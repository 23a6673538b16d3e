#include "simulator/test_program/command.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace nbody {

namespace fs = std::filesystem;

TestFolder::TestFolder() {
  std::string name = (fs::temp_directory_path() / "simulator_test.XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}
TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TestFolder::contents() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    names.push_back(entry.path().lexically_relative(path_).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

static Outcome outcome_of(const std::string& lines) {
  const TestFolder texts;
  const fs::path out = texts / "out", err = texts / "err";
  const int status = std::system(
      fmt::format("{{ {}\n}} </dev/null >'{}' 2>'{}'", lines, out.string(), err.string()).c_str());
  return {WEXITSTATUS(status), text_of(out), text_of(err)};
}

Outcome shell(const TestFolder& folder, const std::string& lines) {
  return outcome_of(
      fmt::format("cd '{}'; plain='{}'\n{}", (folder / "").string(), PROGRAM_UNDER_TEST, lines));
}

Outcome Command::wait() const {
  std::string line;
  for (std::string word : words_) {
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4) {
      word.replace(at, 1, R"('\'')");
    }
    line += "'" + word + "' ";
  }
  return outcome_of(line);
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace nbody
