#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nbody {

// A folder for one test, removed with everything in it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Names of everything in it and below, sorted.
  std::vector<std::string> contents() const;

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = 0;  // exit status, or 128 + the number of the signal
  std::string out, err;
};

// Runs lines of sh in the folder, where $plain is the program under test.
Outcome shell(const TestFolder& folder, const std::string& lines);

// A program and its arguments.
class Command {
 public:
  explicit Command(std::vector<std::string> words) : words_(std::move(words)) {}
  Outcome wait() const;

 private:
  std::vector<std::string> words_;
};

std::string text_of(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace nbody
