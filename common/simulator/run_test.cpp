// A run as a person sees it: standard output, JSON, Ctrl-C, exit status.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "command_line/test_output.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using command_line::test::contains;
using Words = std::vector<std::string>;

nlohmann::json json_in(const std::filesystem::path& file) {
  return nlohmann::json::parse(text_of(file));
}

TEST(Run, JsonSaysWhatWasDone) {
  const TestFolder folder;
  const Outcome outcome = run_program(
      {"-n",    "7",           "-i",     "3",         "--seed", "5",      "--dt",
       "1800",  "--vdt",       "--mdt",  "100",       "--soft", "2",      "--G",
       "6e-11", "--precision", "double", "--threads", "2",      "--json", folder / "s.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  nlohmann::json json = json_in(folder / "s.json");
  EXPECT_GE(json.at("simulated_s"), 300);
  EXPECT_GT(json.at("wall_s"), 0);
  EXPECT_DOUBLE_EQ(json.at("interactions_per_s"), 7 * 7 * 3 / json.at("wall_s").get<double>());
  EXPECT_LT(std::abs(json.at("energy_error").get<double>()), 1);
  EXPECT_FALSE(json.at("cpu").get<std::string>().empty());
  EXPECT_FALSE(json.at("compiler").get<std::string>().empty());
  EXPECT_GE(json.at("threads"), 1);
  for (const char* const measured :
       {"simulated_s", "wall_s", "interactions_per_s", "energy_error", "momentum_error",
        "angular_momentum_error", "cpu", "compiler", "threads"}) {
    json.erase(measured);
  }
  const nlohmann::json expected = {{"part", "test"},
                                   {"implementation", "plain"},
                                   {"flags", "-O1"},
                                   {"bodies", 7},
                                   {"source", "scene random, seed 5"},
                                   {"precision", "double"},
                                   {"adaptive", true},
                                   {"integrator", "eq45"},
                                   {"damping", 1},
                                   {"dt_s", 1800},
                                   {"dt_floor_s", 100},
                                   {"G", 6e-11},
                                   {"softening_m", 2},
                                   {"iterations", 3},
                                   {"interrupted", false},
                                   {"finite", true}};
  EXPECT_EQ(json, expected);
  EXPECT_EQ(folder.contents(), Words{"s.json"});
}

TEST(Run, AFileWhoseNameIsNoText) {
  const TestFolder folder;
  const std::string file = folder / "\xff.dat";
  write_text(file, "1\n1 1 0 0 0 0 0 0\n");
  const Outcome outcome = run_program({"-f", file, "-i", "1", "--json", folder / "s.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json_in(folder / "s.json").at("bodies"), 1);
}

TEST(Run, OneLinePerIteration) {
  const Outcome outcome =
      run_program({"-f", DATA_FOLDER "/earth_moon_sun.dat", "-i", "4", "--dt", "86400", "-v"});
  for (const std::string time : {"1d 00h 00m 00s", "2d 00h 00m 00s", "4d 00h 00m 00s"}) {
    EXPECT_TRUE(contains(outcome.out, time)) << outcome.out;
  }
  EXPECT_TRUE(contains(outcome.out, "dE/E0"));
  EXPECT_FALSE(contains(outcome.out, "5d 00h"));
  EXPECT_TRUE(contains(outcome.out, "time step   86400 s\n"));
  EXPECT_TRUE(contains(outcome.out, " dt s "));
}

// The error at the end stands in the table as below it.
TEST(Run, TheLastLineHasTheEnergyError) {
  const Outcome outcome = run_program({"-n", "300", "-i", "8", "-v"});
  const std::size_t begin = outcome.out.find("\n         8 ");
  ASSERT_NE(begin, std::string::npos) << outcome.out;
  const std::string line = outcome.out.substr(begin + 1, outcome.out.find('\n', begin + 1) - begin);
  EXPECT_TRUE(contains(line, "e-") || contains(line, "e+")) << outcome.out;
}

TEST(Run, SaysWhatItRunsWith) {
  const Outcome outcome = run_program({"-n", "2", "-i", "1", "--threads", "2"});
  EXPECT_TRUE(contains(outcome.out, "threads     2 at most, where the code has OpenMP pragmas\n"))
      << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "took        0.000 s")) << outcome.out;
}

TEST(Run, UnitsOfItsOwnHaveNoName) {
  const Words scene = {"--scene", "two-body", "-i", "500", "-v"};
  const Outcome outcome = run_program(scene);
  EXPECT_TRUE(contains(outcome.out, "time step   0.001\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "simulated   0.5\n")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "dt s"));
  EXPECT_FALSE(contains(outcome.out, "0.5s"));
  const Outcome adaptive = run_program({"--scene", "two-body", "-i", "1", "--vdt"});
  EXPECT_TRUE(contains(adaptive.out, "adaptive, at least 1e-06\n")) << adaptive.out;
}

TEST(Run, VersionAndHelp) {
  const Outcome version = run_program({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("N-body performance lab ")) << version.out;
  EXPECT_TRUE(contains(version.out, ", test/plain, ")) << version.out;
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 1);
  for (const char* const option : {"-h", "--help"}) {
    const Outcome help = run_program({option});
    EXPECT_EQ(help.status, 0);
    for (const char* const listed :
         {"-f",          "-n",        "-i",     "-v",       "-w",     "--nv",
          "--dt",        "--vdt",     "--mdt",  "--soft",   "--seed", "--scene",
          "--precision", "--threads", "--G",    "--every",  "--json", "--serve",
          "--version",   "--box",     "galaxy", "collision"}) {
      EXPECT_TRUE(contains(help.out, std::string("  ") + listed)) << listed << help.out;
    }
  }
}

TEST(Run, BodiesThatRunAwayAreSaid) {
  for (const std::string precision : {"float", "double"}) {
    const TestFolder folder;
    // 1e30 s is beyond float's range; in double one step throws the bodies 1e300 m away.
    const std::string dt = precision == "float" ? "1e30" : "1e300";
    const Outcome outcome = run_program({"--scene", "two-body", "-i", "3", "--dt", dt,
                                         "--precision", precision, "--json", folder / "s.json"});
    EXPECT_EQ(outcome.status, 1) << precision;
    EXPECT_TRUE(contains(outcome.err, "plain: the bodies are no longer finite numbers: the step"))
        << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "the bodies are no longer finite numbers")) << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "speed"));
    EXPECT_FALSE(contains(outcome.out, "energy"));
    EXPECT_FALSE(contains(outcome.out, "simulated   0d"));
    EXPECT_EQ(json_in(folder / "s.json").at("finite"), false);
    EXPECT_TRUE(json_in(folder / "s.json").at("energy_error").is_null());
  }
}

TEST(Run, ABodyAloneGoesStraightOn) {
  const Outcome outcome = run_program({"-n", "1", "-i", "2", "--vdt", "--dt", "50", "--mdt", "0"});
  EXPECT_EQ(outcome.status, 0) << outcome.err << outcome.out;
}

TEST(Run, CtrlCEndsWithTheSummarySoFar) {
  for (const bool verbose : {false, true}) {
    const TestFolder folder;
    Words words = {"-n", "200", "-i", "1000000000", "--json", folder / "s.json"};
    if (verbose) words.push_back("-v");
    Command command(program_with(words));
    command.wait_for(verbose ? "0h 00m" : "built by");
    ::usleep(200000);  // some iterations
    command.send(SIGINT);
    const Outcome outcome = command.wait();
    EXPECT_EQ(outcome.status, 130);
    EXPECT_EQ(outcome.err, "\nstopping after this iteration (Ctrl-C again: at once)\n");
    const nlohmann::json json = json_in(folder / "s.json");
    EXPECT_EQ(json.at("interrupted"), true);
    EXPECT_GT(json.at("iterations"), 0);
    EXPECT_TRUE(contains(outcome.out, "\ninterrupted after " + json.at("iterations").dump() +
                                          " of 1000000000 iterations\n"))
        << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "interactions/s"));
  }
}

// One iteration takes minutes here.
TEST(Run, TheSecondCtrlCEndsAtOnce) {
  const TestFolder folder;
  Command command(program_with({"-n", "300000", "-i", "1", "--json", folder / "s.json"}));
  command.wait_for("built by");
  const auto start = std::chrono::steady_clock::now();
  command.send(SIGINT);
  // The handler of the first must have run, or the second is the same signal still pending.
  command.wait_for("Ctrl-C again: at once");
  command.send(SIGINT);
  EXPECT_EQ(command.wait().status, 128 + SIGINT);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_EQ(folder.contents(), Words{});
}

}  // namespace
}  // namespace nbody
