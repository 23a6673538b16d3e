#include "simulator/test_program/command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

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

Command::Command(std::vector<std::string> words, const std::function<void()>& in_child) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = folder_ / "out", err = folder_ / "err";
  process_ = ::fork();
  if (process_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // stopping the test stops the program
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
  if (in_child) in_child();
  ::execv(pointers[0], pointers.data());
  ::_exit(126);
}

Command::~Command() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Command::wait_for(const std::string& text) const {
  const auto said = [&] { return text_of(folder_ / "out") + text_of(folder_ / "err"); };
  for (int k = 0; k < 6000 && said().find(text) == std::string::npos; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void Command::send(int signal) const { ::kill(process_, signal); }

Outcome Command::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          text_of(folder_ / "out"), text_of(folder_ / "err")};
}

std::vector<std::string> program_with(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PROGRAM_UNDER_TEST);
  return arguments;
}

Outcome run_program(std::vector<std::string> arguments, const std::function<void()>& in_child) {
  return Command(program_with(std::move(arguments)), in_child).wait();
}

void expect_refusal(const Outcome& outcome, const std::string& fragment,
                    const std::string& program) {
  EXPECT_EQ(outcome.status, 2) << fragment << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "") << fragment;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with('\n')) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with(program + ": ")) << outcome.err;
  EXPECT_NE(outcome.err.find(fragment), std::string::npos) << outcome.err << "lacks " << fragment;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace nbody
