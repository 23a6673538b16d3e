#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
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

// A program that runs as a child process.
class Command {
 public:
  // `in_child` runs before the program starts: limits, other files as standard output.
  explicit Command(std::vector<std::string> words, const std::function<void()>& in_child = {});
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void wait_for(const std::string& text) const;  // in either; waits at most a minute
  void send(int signal) const;
  Outcome wait();

 private:
  TestFolder folder_;
  pid_t process_ = -1;
};

// Runs the words after the path of the program under test.
Outcome run_program(std::vector<std::string> arguments, const std::function<void()>& in_child = {});
std::vector<std::string> program_with(std::vector<std::string> arguments);

// One line on standard error, "PROGRAM: ..." with `fragment` in it; status 2, and nothing on
// standard output.
void expect_refusal(const Outcome& outcome, const std::string& fragment,
                    const std::string& program = "plain");

std::string text_of(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace nbody
