#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "bodies/text_file.hpp"
#include "check/test_manifest.hpp"
#include "command_line/test_output.hpp"

namespace nbody::check::test {

using command_line::test::contains;

struct Outcome {
  int status;
  std::string out, err;
};

// Runs the check program in its own folder, with a manifest that has a part "zoo".
class CheckProgram : public testing::Test {
 protected:
  CheckProgram() {
    std::filesystem::create_directories(folder);
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&](const char* name, const std::string& program, const char* needs,
                         const char* expect) {
      rows.push_back(manifest_row("zoo", name, program));
      if (*needs != 0) rows.back()["needs"] = {needs};
      rows.back()["expect"] = expect;
    };
    const std::string bin = ANIMALS;
    add("right", bin + "/honest/plain", "", "");
    add_program(rows.back(), "double", "", bin + "/honest/plain_double");
    const auto add_mistake = [&](const char* name, const char* mistake, const char* expect) {
      add(name, bin + "/wrong/wrong", "", expect);
      rows.back()["arguments"] = {"--mistake", mistake};
    };
    add_mistake("rough", "raw_rsqrt", "");
    add_mistake("exhibit", "raw_rsqrt", "reciprocal square root");
    add("harmless", bin + "/honest/plain", "", "reciprocal square root");
    add_mistake("small", "capacity", "");
    add_mistake("half_kick", "half_kick", "");
    add_mistake("lost_drift", "drift_of_other_arrays", "");
    add("coarse", bin + "/wrong_double/float_inside", "", "");
    add_program(rows.back(), "double", "", bin + "/wrong_double/float_inside_double");
    add("hang", bin + "/wrong/hang", "", "");
    add("dies", bin + "/wrong/crash", "", "");
    add("throws", bin + "/wrong/throws", "", "");
    add("missing", "no/such/program", "", "");
    // Made from a header, but with another row's program.
    add("mixed_up", bin + "/honest/plain", "", "");
    rows.back()["class"] = "MixedUp";
    add("needy", bin + "/honest/plain", "no_such_feature", "");
    // A program for each of some instruction sets; the first is wrong.
    add("two", bin + "/honest/plain", "", "");
    rows.back()["programs"].clear();
    add_program(rows.back(), "float", "sse2", bin + "/wrong/crash");
    add_program(rows.back(), "float", "neon", bin + "/honest/plain");
    add_program(rows.back(), "float", "avx2", bin + "/honest/plain");
    write_text_file(folder / "manifest.json", manifest_of(rows).dump());
  }
  ~CheckProgram() override { std::filesystem::remove_all(folder); }

  // `arguments` are words of a shell.
  Outcome check(const std::string& arguments) const {
    const std::string command = "cd '" + folder.string() + "' && '" CHECK_PROGRAM "' " + arguments +
                                " >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text_file(folder / "out.txt"),
            read_text_file(folder / "err.txt")};
  }
  // Few and small cases, unless the arguments ask for more.
  Outcome quick(const std::string& arguments) const {
    const bool sized = arguments.find("--largest") != std::string::npos;
    const bool seeded = arguments.find("--seeds") != std::string::npos;
    return check("zoo " + arguments + (sized ? "" : " --largest 17") +
                 (seeded ? "" : " --seeds 1") + " --manifest manifest.json");
  }
  nlohmann::json json(const char* name = "result.json") const {
    return nlohmann::json::parse(read_text_file(folder / name));
  }

  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("check_program_" + std::to_string(getpid()));
};

}  // namespace nbody::check::test
