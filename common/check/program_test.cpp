// The check program as a child process: status, messages, the file that it writes, what each option
// changes, and what it leaves behind.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "check/test_manifest.hpp"
#include "command_line/test_output.hpp"
#include "machine/machine.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::check {
namespace {

using command_line::test::contains;
using nlohmann::json;

// Runs it in its own folder, with a manifest that has a part "zoo".
class Program : public testing::Test {
 protected:
  Program() {
    json rows = json::array();
    const std::string bin = ANIMALS, plain = bin + "/honest/plain";
    const auto add = [&](const char* name, const std::string& program) -> json& {
      rows.push_back(test::manifest_row("zoo", name, program));
      return rows.back();
    };
    const auto add_mistake = [&](const char* name, const char* mistake) -> json& {
      json& row = add(name, bin + "/wrong/wrong");
      row["arguments"] = {"--mistake", mistake};
      return row;
    };
    json& right = add("right", plain);
    right["source"] = "right.hpp";
    test::add_program(right, "double", "", plain + "_double");
    add_mistake("rough", "raw_rsqrt");
    add_mistake("exhibit", "raw_rsqrt")["expect"] = "raw_root";
    add("harmless", plain)["expect"] = "raw_root";
    add_mistake("small", "capacity");
    test::add_program(add("coarse", bin + "/wrong_double/float_inside"), "double", "",
                      bin + "/wrong_double/float_inside_double");
    add("hang", bin + "/wrong/hang");
    add("dies", bin + "/wrong/crash");
    add("unaligned", folder / "unaligned");
    add("throws", bin + "/wrong/throws");
    add("missing", "no/such/program");
    // Made from a header, but with another row's program.
    add("mixed_up", plain)["class"] = "MixedUp";
    add("needy", plain)["needs"] = {"no_such_feature"};
    // A program for each of some instruction sets; the first is wrong.
    json& two = add("two", plain);
    two["programs"].clear();
    test::add_program(two, "float", "sse2", bin + "/wrong/crash");
    test::add_program(two, "float", "neon", plain);
    test::add_program(two, "float", "avx2", plain);
    write_text_file(folder / "manifest.json", test::manifest_of(rows).dump());
  }

  // A script of the shell, in the folder.
  void write_executable(const char* name, const std::string& script) const {
    write_text_file(folder / name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
  // `arguments` are words of a shell.
  Outcome run(const std::string& arguments) const {
    return Command({"/bin/sh", "-c",
                    "cd '" + (folder / "").string() + "' && exec '" CHECK_PROGRAM "' " + arguments})
        .wait();
  }
  // Few and small cases, unless the arguments ask for more; returns the status.
  int check(const std::string& arguments) {
    const bool sized = arguments.find("--largest") != std::string::npos;
    const Outcome outcome = run("zoo " + arguments + (sized ? "" : " --largest 17") +
                                " --manifest manifest.json --json result.json");
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
    result = json::parse(text_of(folder / "result.json"));
    return outcome.status;
  }
  const json& first() const { return result["implementations"][0]; }
  // Of the case that says most: its diagnosis, and what happened.
  std::string said() const {
    const json place = first()["most_informative_case"];
    if (place.is_null()) return "";
    const json& row = first()["cases"][place.get<std::size_t>()];
    return row["diagnosis"].get<std::string>() + "; " + row["detail"].get<std::string>();
  }
  std::vector<json> cases(const std::string& group) const {
    std::vector<json> found;
    for (const json& row : first()["cases"]) {
      if (row["group"] == group) found.push_back(row);
    }
    return found;
  }
  std::set<std::uint64_t> values(const std::string& group, const char* key) const {
    std::set<std::uint64_t> found;
    for (const json& row : cases(group)) found.insert(row[key].get<std::uint64_t>());
    return found;
  }

  const TestFolder folder;
  json result;
};

// A verdict on two texts would be none: in float what was saved first, in double what came after.
TEST_F(Program, ASourceThatIsSavedMeanwhileIsNotCheckedInDouble) {
  for (const char* does : {"", "touch right.hpp", "touch right.hpp; exit 1"}) {
    const bool saves = *does != 0;
    write_executable("lab", does);
    write_text_file(folder / "right.hpp", "");
    const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::years(1);
    std::filesystem::last_write_time(folder / "right.hpp", long_ago);
    EXPECT_EQ(check("right --builder ./lab"), 0);
    EXPECT_EQ(first()["left_out"].dump().find("double: the source was saved") != std::string::npos,
              saves);
    EXPECT_EQ(std::any_of(first()["cases"].begin(), first()["cases"].end(),
                          [](const json& row) { return row["group"] == "in double"; }),
              !saves);
  }
}

TEST_F(Program, UsageErrorsAreOneLineAndStatus2) {
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "which part?"},
           {"zoo", "--json FILE is required"},
           {"zoo --manifest nowhere.json", "nowhere.json: cannot be read"},
           {"zoo --manifest .", ".: cannot be read"},
           {"nopart", "no part 'nopart'"},
           {"zoo nobody", "no implementation 'nobody'"},
           {"zoo 'two\nlines'", "no implementation"},
           {"'two\nlines'", "no part"},
           {"zoo '--two\nlines'", "--two"},
           {"zoo two --arch mmx", "unknown instruction set 'mmx'"},
           {"zoo right --arch ''", "unknown instruction set ''"},
           {"zoo right --bogus", "--bogus"},
           {"zoo right --seed", "--seed"},
           {"zoo right --seed -1", "--seed"},
           {"zoo right --seed 1e3", "--seed"},
           {"zoo right --seed 99999999999999999999", "--seed"},
           {"zoo right --seeds x", "--seeds needs a whole number from 1 to 1000, not 'x'"},
           {"zoo right --seeds 0", "--seeds"},
           {"zoo right --seeds 1001", "--seeds"},
           {"zoo right --largest 0", "--largest"},
           {"zoo right --largest many", "--largest"},
           {"zoo right --timeout x", "--timeout needs a number from 0.01 to 1000000, not 'x'"},
           {"zoo right --timeout 0", "--timeout"},
           {"zoo right --timeout nan", "--timeout"},
           {"zoo right --timeout inf", "--timeout"},
           {"zoo right --tolerance loose", "'loose'"},
           {"zoo right --tolerance double", "'double'"},
           {"zoo right --precision half", "'half'"},
           {"zoo right --precision double --tolerance loose", "'loose'"},
           {"zoo right --json /proc/no/result.json", "/proc/no/result.json: cannot be written"},
           {"zoo right --json .", "cannot be written"}}) {
    const bool has_manifest = contains(arguments, "--manifest");
    const bool has_json = arguments == "zoo" || contains(arguments, "--json");
    const Outcome outcome = run(arguments + (has_manifest ? "" : " --manifest manifest.json") +
                                (has_json ? "" : " --json result.json"));
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("check: ", 0), 0u) << arguments << "\n" << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << arguments << "\n" << outcome.err;
  }
  EXPECT_EQ(folder.contents(), std::vector<std::string>{"manifest.json"});
}

TEST_F(Program, Status0OnlyIfAllIsAsItShould) {
  struct Expected {
    const char* names;
    int status;
    std::vector<std::string> verdicts;
    const char* said = "";
  };
  write_executable("unaligned", "kill -SEGV $$");
  for (const Expected& expected : {
           Expected{"right", 0, {"passed"}},
           {"right right", 0, {"passed"}},
           {"rough", 1, {"FAILED"}, "reciprocal square root"},
           {"right rough", 1, {"passed", "FAILED"}},
           {"rough right", 1, {"FAILED", "passed"}},
           {"exhibit", 0, {"fails as expected"}, "reciprocal square root"},
           {"harmless", 1, {"PASSED, but should fail"}},
           {"needy", 0, {"skipped: needs no_such_feature"}},
           {"mixed_up", 1, {"FAILED"}, "its part is 'honest', where 'zoo' was expected"},
           {"missing", 1, {"FAILED"}, "cannot start no/such/program: No such file"},
           {"dies", 1, {"FAILED"}, "the program died: killed by signal 6 (Aborted)"},
           {"dies",
            1,
            {"FAILED"},
            "cmake --build --preset debug --target wrong_crash && build/debug/bin/wrong/crash -n "},
           {"unaligned", 1, {"FAILED"}, "is not aligned (then load_unaligned, or an"},
           {"throws", 1, {"FAILED"}, "the program stopped with: index 8 of 7"},
       }) {
    EXPECT_EQ(check(expected.names), expected.status) << expected.names;
    std::vector<std::string> verdicts;
    for (const json& one : result["implementations"]) verdicts.push_back(one["verdict"]);
    EXPECT_EQ(verdicts, expected.verdicts) << expected.names;
    EXPECT_TRUE(contains(said(), expected.said)) << said();
  }
}

TEST_F(Program, AMissingProgramIsSaidInEveryRow) {
  check("missing");
  EXPECT_GT(first()["cases"].size(), 30u);
  for (const json& row : first()["cases"]) {
    EXPECT_NE(row["verdict"], "passed");  // ten are asked, the others are not run
    EXPECT_EQ(row["answer"], "missing");
    EXPECT_TRUE(row["error"].is_null());
  }
}

// What a program lacks is no fault.
TEST_F(Program, IntegratorsOfAJerkThatIsNotThereAreLeftOut) {
  EXPECT_EQ(check("right"), 0);
  EXPECT_TRUE(contains(first()["left_out"].dump(), "the integrators hermite4: "));
  EXPECT_TRUE(cases("jerk").empty());
}

TEST_F(Program, SeedIsTheFirstAndSeedsTheirNumber) {
  EXPECT_EQ(check("right --seed 5 --seeds 2"), 0);
  for (const char* group : {"forces", "steps", "adaptive step"}) {
    EXPECT_EQ(values(group, "seed"), (std::set<std::uint64_t>{5, 6})) << group;
  }
  EXPECT_EQ(result["seed"], 5);
  EXPECT_EQ(result["seeds"], 2);
  check("right --thorough --seeds 1 --largest 20");
  EXPECT_EQ(result["seeds"], 1);
}

TEST_F(Program, ThoroughAsksFiveSeedsUnlessToldOtherwise) {
  check("right --no-double --largest 3");
  EXPECT_EQ(result["seeds"], 1);
  check("right --no-double --thorough --largest 3");
  EXPECT_EQ(result["seeds"], 5);
}

// Other seeds are other bodies, in other numbers; the same seed asks the same.
TEST_F(Program, SeedDecidesWhatIsAsked) {
  const auto asked = [&](const std::string& seed) {
    EXPECT_EQ(check("right --no-double --largest 600" + seed), 0);
    return std::pair(result["seed"], cases("forces"));
  };
  const auto once = asked(" --seed 5");
  EXPECT_NE(once.second, asked(" --seed 8").second);
  EXPECT_EQ(once.second, asked(" --seed 5").second);
  // Without one it is drawn, and said.
  const auto drawn = asked("");
  EXPECT_NE(drawn.first, asked("").first);
  EXPECT_EQ(drawn.second, asked(" --seed " + drawn.first.dump()).second);
}

TEST_F(Program, LargestLeavesOutLargerCases) {
  EXPECT_EQ(check("right --largest 7"), 0);
  EXPECT_EQ(values("forces", "n"), (std::set<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
  // Loses bodies beyond 1000 only.
  check("small --seed 1 --largest 1000");
  for (const json& row : cases("forces")) EXPECT_EQ(row["verdict"], "passed");
  EXPECT_EQ(check("small --seed 1 --largest 3000"), 1);
  EXPECT_TRUE(contains(said(), "bodies from index 1000 on pull no other body")) << said();
}

// One request is waited for, the others not asked.
TEST_F(Program, TimeoutEndsTheWaiting) {
  const auto seconds_with = [&](const std::string& timeout) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(check("hang --largest 1 --timeout " + timeout), 1);
    EXPECT_TRUE(contains(said(), "no answer in time")) << said();
    EXPECT_TRUE(contains(said(), "; waited " + timeout + " s; nothing more was checked")) << said();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double with_little = seconds_with("0.1"), with_more = seconds_with("1.5");
  EXPECT_GT(with_little, 0.1);
  EXPECT_GT(with_more, 1.5);
  EXPECT_LT(with_more, 15);  // 1.6 on a machine at rest; asked for every case, more than 30
  std::map<std::string, std::size_t> count;
  for (const json& row : first()["cases"]) {
    ++count[row["verdict"]];
    if (row["verdict"] != "passed") {
      EXPECT_EQ(row["answer"], row["verdict"] == "failed" ? "late" : "missing") << row;
    }
  }
  EXPECT_EQ(count["failed"], 1u);
  EXPECT_GT(count["not run"], 5u);
}

TEST_F(Program, ToleranceAndPrecisionDecideTheLimits) {
  for (const char* standard : {"rough", "rough --tolerance standard"}) {
    EXPECT_EQ(check(standard), 1);
    EXPECT_EQ(result["force_limit"], 1e-5);
  }
  EXPECT_EQ(check("rough --tolerance approximate"), 0);
  EXPECT_EQ(result["tolerance"], "approximate");
  for (const json& row : cases("forces")) EXPECT_EQ(row["limit"], 1e-3);
  EXPECT_EQ(check("right --precision double"), 0);
  EXPECT_EQ(result["precision"], "double");
  EXPECT_EQ(result["tolerance"], "double");
  for (const json& row : cases("forces")) EXPECT_EQ(row["limit"], 1e-13);
}

TEST_F(Program, AFloatInDoubleIsFound) {
  EXPECT_EQ(check("coarse --no-double"), 0);
  EXPECT_EQ(check("coarse"), 1);
  EXPECT_TRUE(contains(said(), "right in float, not in double")) << said();
  EXPECT_EQ(check("coarse --precision double"), 1);
  EXPECT_TRUE(contains(said(), "float is used instead of double")) << said();
}

TEST_F(Program, ArchTakesTheProgramOfAnInstructionSet) {
  std::string missing;
  if (machine::machine_has("avx2 fma", missing)) {
    EXPECT_EQ(check("two"), 0);
  }
#if defined(__x86_64__)
  EXPECT_EQ(check("two right --arch sse2"), 1);
  EXPECT_EQ(first()["name"], "two_sse2");
  EXPECT_EQ(first()["verdict"], "FAILED");
  EXPECT_EQ(result["implementations"][1]["verdict"], "skipped: has no program of its own for sse2");
  EXPECT_EQ(check("two --arch neon"), 0);
  EXPECT_EQ(first()["verdict"], "skipped: needs asimd");
#endif
}

// --- Ctrl-C ------------------------------------------------------------------------------------

// State of a process and its parent ("Z" and 0 when there is none).
std::pair<char, int> state_of(int process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(in, line)) return {'Z', 0};
  // After the name, which stands in parentheses and may hold blanks.
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  std::pair<char, int> state;
  rest >> state.first >> state.second;
  return state;
}

int child_of(int parent) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int process = std::atoi(entry.path().filename().c_str());
    if (process > 0 && state_of(process).second == parent) return process;
  }
  return 0;
}

template <typename Condition>
bool within_a_minute(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
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
      if (chdir((folder / "").c_str()) == 0) {
        execl(CHECK_PROGRAM, "check", "zoo", "hang", "--manifest", "manifest.json", "--timeout",
              "100", "--json", "result.json", nullptr);
      }
      _exit(127);
    }
    int simulator = 0;
    // Between fork() and exec() it is the checker's copy; it hangs when it has computed for a
    // while.
    ASSERT_TRUE(within_a_minute([&] { return (simulator = child_of(checker)) != 0; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_NE(state_of(simulator).first, 'Z');
    kill(checker, signal);
    int status = 0;
    ASSERT_EQ(waitpid(checker, &status, 0), checker);
    EXPECT_TRUE(WIFSIGNALED(status));
    const bool gone = within_a_minute([&] { return state_of(simulator).first == 'Z'; });
    EXPECT_TRUE(gone) << signal;
    if (!gone) kill(simulator, SIGKILL);
  }
}

}  // namespace
}  // namespace nbody::check
