// What is wrong lies around the program: files, folders, disks, memory.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const char* const two_at_one_place = "2\n1 1 0 0 0 0 0 0\n1 1 0 0 0 1 0 0\n";

// For the child process, before the program starts.
void standard_output_to(const fs::path& file) {
  ::dup2(::open(file.c_str(), O_WRONLY), STDOUT_FILENO);
}

// RLIMIT_...
void limit(int resource, unsigned long long most) {
  const rlimit limit{most, most};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

// When root: root may read and write everything.
void become_nobody() {
  constexpr uid_t nobody = 65534;
  if (::geteuid() != 0) return;
  if (::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(125);
}

class BadSurroundings : public testing::Test {
 protected:
  // Root could do everything: the program becomes another user, who may read and enter here.
  BadSurroundings() { fs::permissions(folder_ / ".", fs::perms(0755)); }
  std::string closed_folder() const {
    fs::create_directory(folder_ / "closed");
    fs::permissions(folder_ / "closed", fs::perms(0555));
    return folder_ / "closed";
  }
  const TestFolder folder_;
};

TEST_F(BadSurroundings, AMissingFile) {
  expect_refusal(run_program({"-f", folder_ / "none.dat", "-i", "1", "-w", folder_ / "out"}),
                 "none.dat: cannot be read (No such file or directory): check the name");
  EXPECT_EQ(folder_.contents(), Names{});
}

TEST_F(BadSurroundings, AFolderAsAFile) {
  expect_refusal(run_program({"-f", folder_ / ".", "-i", "1"}),
                 "cannot be read (Is a directory): check the name");
}

TEST_F(BadSurroundings, AFileThatMayNotBeRead) {
  const fs::path file = folder_ / "mine.dat";
  write_text(file, "1\n1 1 0 0 0 0 0 0\n");
  fs::permissions(file, fs::perms::none);
  const Outcome outcome = run_program({"-f", file, "-i", "1"}, become_nobody);
  if (outcome.status == 126) GTEST_SKIP() << "the user nobody may not run the program";
  expect_refusal(outcome, "mine.dat: cannot be read (Permission denied): check the name");
}

TEST_F(BadSurroundings, AFileWithAnError) {
  write_text(folder_ / "bad.dat", "2\n1 1 0 0 0 0 0 0\n0 1 5 0 0 0 0 0\n");
  expect_refusal(run_program({"-f", folder_ / "bad.dat", "-i", "1", "-w", folder_ / "out"}),
                 "bad.dat:3: mass of record 2 is '0'");
  EXPECT_EQ(folder_.contents(), Names{"bad.dat"});
}

TEST_F(BadSurroundings, CoincidentBodies) {
  const std::string file = folder_ / "two.dat";
  write_text(file, two_at_one_place);
  for (const char* const softening : {"0", "1e-30"}) {
    expect_refusal(run_program({"-f", file, "-i", "1", "--soft", softening, "-w", folder_ / "out"}),
                   "bodies 0 and 1 (counted from 0) are at the same place");
  }
  EXPECT_EQ(folder_.contents(), Names{"two.dat"});
  EXPECT_EQ(run_program({"-f", file, "-i", "1", "--soft", "1"}).status, 0);
}

TEST_F(BadSurroundings, AFolderThatMayNotBeWrittenTo) {
  const std::string closed = closed_folder();
  const Outcome states = run_program({"-n", "5", "-i", "1", "-w", closed + "/out"}, become_nobody);
  if (states.status == 126) GTEST_SKIP() << "the user nobody may not run the program";
  expect_refusal(states, "-w: " + closed + "/out.0.dat: cannot be written (Permission denied)");
  expect_refusal(run_program({"-n", "5", "-i", "1", "--json", closed + "/out"}, become_nobody),
                 "--json: " + closed + "/out: cannot be written (Permission denied)");
  expect_refusal(
      run_program({"-n", "5", "-i", "1", "--json", closed + "/new/out"}, become_nobody),
      "--json: " + closed + "/new/out: cannot be written (no folder " + closed + "/new)");
  expect_refusal(run_program({"-n", "5", "-i", "1", "-w", closed + "/new/out"}, become_nobody),
                 "-w: " + closed + "/new/out.0.dat: cannot be written (Permission denied)");
  expect_refusal(
      run_program({"-n", "5", "-i", "1", "-w", folder_ / "new/newer/out"}),
      "out.0.dat: cannot be written (no folder " + (folder_ / "new/newer").string() + ")");
  EXPECT_EQ(folder_.contents(), Names{"closed"});
}

TEST_F(BadSurroundings, AFolderOrAFileInTheWay) {
  fs::create_directory(folder_ / "out.0.dat");
  write_text(folder_ / "file", "");
  expect_refusal(run_program({"-n", "5", "-i", "1", "-w", folder_ / "out"}),
                 "out.0.dat: cannot be written (Is a directory): choose another place");
  expect_refusal(run_program({"-n", "5", "-i", "1", "--json", folder_ / "out.0.dat"}),
                 "out.0.dat: cannot be written (Is a directory): choose another place");
  expect_refusal(run_program({"-n", "5", "-i", "1", "--json", folder_ / "file/out"}),
                 "cannot be written (Not a directory): choose another place");
  EXPECT_EQ(folder_.contents(), (Names{"file", "out.0.dat"}));
}

TEST_F(BadSurroundings, AFullDiskBehindStandardOutput) {
  const std::function<void()> full = [] { standard_output_to("/dev/full"); };
  const std::function<void()> closed = [] { ::close(STDOUT_FILENO); };
  const std::string complaint =
      "plain: standard output cannot be written: make room, or redirect it\n";
  write_text(folder_ / "one.dat", "1\n1 1 0 0 0 0 0 0\n");
  // Its name alone is more than the buffer of standard output holds.
  std::string long_name = folder_ / "one.dat";
  while (long_name.size() < 4090) long_name.insert(long_name.rfind('/'), "/.");
  const std::vector<std::vector<std::string>> commands = {{"-f", long_name, "-i", "1"},
                                                          {"-n", "5", "-i", "3"},
                                                          {"-n", "5", "-i", "300", "-v"},
                                                          {"--help"},
                                                          {"--version"}};
  for (const auto& words : commands) {
    for (const std::function<void()>& output : {full, closed}) {
      const Outcome outcome = run_program(words, output);
      EXPECT_EQ(outcome.status, 2) << testing::PrintToString(words);
      EXPECT_EQ(outcome.err, complaint) << testing::PrintToString(words);
    }
  }
}

// Limits on memory are beyond what the sanitizers' own bookkeeping needs.
TEST_F(BadSurroundings, MoreBodiesThanMemory) {
  if (PROGRAM_IS_SANITIZED) GTEST_SKIP() << "sanitizers need the address space";
  const auto start = std::chrono::steady_clock::now();
  expect_refusal(run_program({"-n", "134217728", "-i", "1", "-w", folder_ / "out"},
                             [] { limit(RLIMIT_AS, 4ull << 30); }),
                 "-n 134217728 is more than the memory of this machine holds: at most 16777216");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(folder_.contents(), Names{});
}

TEST_F(BadSurroundings, MemoryThatRunsOut) {
  if (PROGRAM_IS_SANITIZED) GTEST_SKIP() << "sanitizers need the address space";
  expect_refusal(run_program({"-n", "2000000", "-i", "1", "-w", folder_ / "out"},
                             [] { limit(RLIMIT_DATA, 200ull << 20); }),
                 "not enough memory: use fewer bodies (-n)");
  EXPECT_EQ(folder_.contents(), Names{});
}

// A limit on the size of files stands in for a disk that fills up.
TEST_F(BadSurroundings, ADiskThatFillsUp) {
  const auto full = [] {
    std::signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_FSIZE, 2000);
  };
  const std::string reason =
      "cannot be written (File too large): choose another place or make room";
  expect_refusal(run_program({"-n", "500", "-i", "2", "-w", folder_ / "out"}, full),
                 "out.0.dat: " + reason);
  EXPECT_EQ(folder_.contents(), Names{});
}

TEST_F(BadSurroundings, ADiskThatFillsUpAtTheEnd) {
  const std::string json = folder_ / "summary.json";
  write_text(json, "old");
  const Outcome outcome = run_program({"-n", "5", "-i", "2", "--json", json}, [] {
    std::signal(SIGXFSZ, SIG_IGN);
    // Standard output is a file too, and as long as the JSON.
    standard_output_to("/dev/null");
    limit(RLIMIT_FSIZE, 300);
  });
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "plain: " + json +
                             ": cannot be written (File too large): choose another place or make "
                             "room\n");
  EXPECT_EQ(folder_.contents(), Names{"summary.json"});
  EXPECT_EQ(text_of(json), "old");
}

// Through a link, so that a broken version replaces the link and not the device.
TEST_F(BadSurroundings, AFullDeviceStaysADevice) {
  fs::create_symlink("/dev/full", folder_ / "summary.json");
  const Outcome outcome = run_program({"-n", "5", "-i", "2", "--json", folder_ / "summary.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("(No space left on device)"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_symlink(folder_ / "summary.json"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(folder_.contents(), Names{"summary.json"});
}

}  // namespace
}  // namespace nbody
