// The check program as a child process: exit status, messages, what it leaves behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "check/test_check_program.hpp"
#include "command_line/test_output.hpp"

namespace nbody::check {
namespace {

using test::contains;
using Program = test::CheckProgram;

TEST_F(Program, UsageErrorsAreOneLineAndStatus2) {
  const auto expect_usage_error = [&](const std::string& arguments) {
    const Outcome run = check(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(run.err.rfind("check: ", 0), 0u) << arguments << "\n" << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << arguments << "\n" << run.err;
  };
  for (const char* arguments : {"", "zoo --manifest nowhere.json", "zoo --manifest ."}) {
    expect_usage_error(arguments);
  }
  for (const std::string arguments :
       {"", "nopart", "zoo nobody", "zoo 'two\nlines'", "'two\nlines'", "zoo '--two\nlines'",
        "zoo two --arch", "zoo two --arch mmx"}) {
    expect_usage_error(arguments + " --manifest manifest.json");
  }
  const std::map<std::string, std::vector<std::string>> refused = {
      {"--bogus", {""}},
      {"--seed", {"", "-1", "1e3", "99999999999999999999"}},
      {"--seeds", {"0", "1001", "-1"}},
      {"--largest", {"0", "-1", "many"}},
      {"--timeout", {"0", "-1", "nan", "inf"}},
      {"--tolerance", {"loose", "double", "''"}},
      {"--precision", {"half", "double --tolerance loose"}},
      {"--arch", {"''"}}};
  for (const auto& [option, values] : refused) {
    for (const std::string& value : values) {
      expect_usage_error("zoo right " + option + " " + value + " --manifest manifest.json");
    }
  }
}

TEST_F(Program, HelpIsNoError) {
  const Outcome run = check("--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* option : {"--manifest", "--tolerance", "--precision", "--arch", "--seed",
                             "--seeds", "--largest", "--timeout", "--json", "-v"}) {
    EXPECT_TRUE(contains(run.out, option)) << option;
  }
  EXPECT_EQ(command_line::test::differing_words(run.out, HELP_FILE), "");
}

TEST_F(Program, Status0OnlyIfAllIsAsItShould) {
  struct Case {
    const char* names;
    int status;
    const char* verdict;
  };
  for (const Case& test : {Case{"right", 0, "zoo/right: passed"},
                           {"rough", 1, "zoo/rough: FAILED"},
                           {"right rough", 1, "zoo/rough: FAILED"},
                           {"rough right", 1, "zoo/right: passed"},
                           {"exhibit", 0, "zoo/exhibit: fails as expected"},
                           {"harmless", 1, "zoo/harmless: PASSED, but should fail"},
                           {"needy", 0, "zoo/needy: skipped: needs no_such_feature"},
                           {"mixed_up", 1, "it is of 'honest', where 'zoo' was expected"},
                           {"missing", 1, "zoo/missing: FAILED"}}) {
    const Outcome run = quick(test.names);
    EXPECT_EQ(run.status, test.status) << test.names << "\n" << run.out;
    EXPECT_TRUE(contains(run.out, test.verdict)) << test.names << "\n" << run.out;
    EXPECT_EQ(command_line::test::without_progress(run.err), "");
  }
}

TEST_F(Program, MissingProgramIsSaidInEveryRow) {
  const Outcome run = quick("missing --json result.json");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.out, "the program could not be started: build it first")) << run.out;
  const auto all = json();
  const auto& rows = all["implementations"][0]["cases"];
  EXPECT_GT(rows.size(), 30u);
  for (const auto& row : rows) {
    EXPECT_EQ(row["verdict"], "failed");
    EXPECT_TRUE(contains(row["detail"], "cannot start")) << row;
    EXPECT_TRUE(row["error"].is_null());
  }
}

TEST_F(Program, NumbersThatAreNoneSayWhatToWrite) {
  const std::map<std::string, std::string> needs = {
      {"--seeds", "--seeds needs a whole number from 1 to 1000, not 'x'"},
      {"--timeout", "--timeout needs a number from 0.01 to 1000000, not 'x'"}};
  for (const auto& [option, sentence] : needs) {
    const Outcome run = check("zoo right " + option + " x --manifest manifest.json");
    EXPECT_TRUE(contains(run.err, sentence)) << run.err;
  }
}

TEST_F(Program, SameNameTwiceIsCheckedOnce) {
  const Outcome run = quick("right right --json result.json");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(json()["implementations"].size(), 1u);
}

// What is waited for, what died and what was thrown is said with the way to its place.
TEST_F(Program, FaultsSayWhatHappenedAndWhatToDo) {
  const Outcome died = quick("dies");
  EXPECT_TRUE(contains(died.out, "the program died: killed by signal 6 (Aborted)")) << died.out;
  EXPECT_TRUE(contains(died.out,
                       "cmake --build --preset debug --target wrong_crash && "
                       "build/debug/bin/wrong/crash -n "))
      << died.out;
  const Outcome thrown = quick("throws");
  EXPECT_TRUE(contains(thrown.out, "the program stopped with: index 8 of 7")) << thrown.out;
  const Outcome waited = quick("hang --timeout 0.2");
  EXPECT_TRUE(contains(waited.out, "waited 0.2 s; nothing more was checked")) << waited.out;
  EXPECT_TRUE(contains(waited.out, "were not run")) << waited.out;
}

TEST_F(Program, JsonThatCannotBeWrittenIsStatus2) {
  const Outcome run = quick("right --json /proc/no/result.json");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err.rfind("check: /proc/no/result.json: cannot be written", 0), 0u) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
  EXPECT_EQ(run.out, "");  // before anything is checked
  EXPECT_EQ(quick("right --json .").status, 2);
}

TEST_F(Program, FullStandardOutputIsStatus2) { EXPECT_EQ(check("--help >/dev/full").status, 2); }

// --- Ctrl-C ------------------------------------------------------------------------------------

// State and parent of a process ("Z" and 0 when there is none).
struct ProcessState {
  char state = 'Z';
  int parent = 0;
};
ProcessState state_of(int process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  ProcessState result;
  if (!std::getline(in, line)) return result;
  // Behind the name, which stands in parentheses and may hold blanks.
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  rest >> result.state >> result.parent;
  return result;
}

int child_of(int parent) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int process = std::atoi(entry.path().filename().c_str());
    if (process > 0 && state_of(process).parent == parent) return process;
  }
  return 0;
}

template <typename Condition>
bool within_seconds(int seconds, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

TEST_F(Program, CtrlCLeavesNoSimulatorBehind) {
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const pid_t checker = fork();
    if (checker == 0) {
      if (chdir((folder / "").c_str()) != 0 || !std::freopen("/dev/null", "w", stdout)) _exit(126);
      execl(CHECK_PROGRAM, "check", "zoo", "hang", "--manifest", "manifest.json", "--timeout",
            "100", nullptr);
      _exit(127);
    }
    int simulator = 0;
    // Between fork() and exec() it is the checker's copy; it hangs when it has computed for a
    // while.
    ASSERT_TRUE(within_seconds(60, [&] { return (simulator = child_of(checker)) != 0; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_NE(state_of(simulator).state, 'Z');
    kill(checker, signal);
    int status = 0;
    ASSERT_EQ(waitpid(checker, &status, 0), checker);
    EXPECT_TRUE(WIFSIGNALED(status));
    const bool gone = within_seconds(60, [&] { return state_of(simulator).state == 'Z'; });
    EXPECT_TRUE(gone) << signal;
    if (!gone) kill(simulator, SIGKILL);
  }
}

}  // namespace
}  // namespace nbody::check
