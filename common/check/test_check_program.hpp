#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "bodies/text_file.hpp"

namespace nbody::test {

struct Outcome {
  int status;
  std::string out, err;
};

// The check program at work in a folder of its own, which holds a manifest with a part "zoo".
class CheckProgram : public testing::Test {
 protected:
  CheckProgram() {
    std::filesystem::create_directories(folder);
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&](const char* name, const std::string& program, const char* needs,
                         const char* expect) {
      rows.push_back({{"part", "zoo"},
                      {"name", name},
                      {"summary", ""},
                      {"kind", "rung"},
                      {"flags", ""},
                      {"needs", needs},
                      {"expect", expect},
                      {"program", program}});
    };
    const std::string bin = ANIMALS;
    add("right", bin + "/honest/plain", "", "");
    add("rough", bin + "/wrong/raw_rsqrt", "", "");
    add("exhibit", bin + "/wrong/raw_rsqrt", "", "reciprocal square root");
    add("harmless", bin + "/honest/plain", "", "reciprocal square root");
    add("small", bin + "/wrong/capacity", "", "");
    add("coarse", bin + "/wrong_double/float_inside_double", "", "");
    add("hang", bin + "/wrong/hang", "", "");
    add("dies", bin + "/wrong/crash", "", "");
    add("throws", bin + "/wrong/throws", "", "");
    add("missing", "no/such/program", "", "");
    add("needy", bin + "/honest/plain", "no_such_feature", "");
    // Two instruction sets: the program of one is wrong, that of the other is not there.
    add("two", folder / "two", "", "");
    rows.back()["archs"] = "sse2 neon";
    std::filesystem::create_symlink(bin + "/honest/plain", folder / "two");
    std::filesystem::create_symlink(bin + "/wrong/raw_rsqrt", folder / "two_sse2");
    write_text_file(folder / "manifest.json", rows.dump());
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
  // Few and small cases, unless the arguments want more.
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

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace nbody::test
