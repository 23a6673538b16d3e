#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "check/test_manifest.hpp"
#include "command_line/test_output.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::check::test {

using command_line::test::contains;

// Runs the check program in its own folder, with a manifest that has a part "zoo".
class CheckProgram : public testing::Test {
 protected:
  CheckProgram() {
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&](const char* name, const std::string& program) -> nlohmann::json& {
      rows.push_back(manifest_row("zoo", name, program));
      return rows.back();
    };
    const std::string bin = ANIMALS;
    add_program(add("right", bin + "/honest/plain"), "double", "", bin + "/honest/plain_double");
    const auto add_mistake = [&](const char* name, const char* mistake) -> nlohmann::json& {
      nlohmann::json& row = add(name, bin + "/wrong/wrong");
      row["arguments"] = {"--mistake", mistake};
      return row;
    };
    add_mistake("rough", "raw_rsqrt");
    add_mistake("exhibit", "raw_rsqrt")["expect"] = "reciprocal square root";
    add("harmless", bin + "/honest/plain")["expect"] = "reciprocal square root";
    add_mistake("small", "capacity");
    add_mistake("half_kick", "half_kick");
    add_mistake("lost_drift", "drift_of_other_arrays");
    add_program(add("coarse", bin + "/wrong_double/float_inside"), "double", "",
                bin + "/wrong_double/float_inside_double");
    add("hang", bin + "/wrong/hang");
    add("dies", bin + "/wrong/crash");
    add("throws", bin + "/wrong/throws");
    add("missing", "no/such/program");
    // Made from a header, but with another row's program.
    add("mixed_up", bin + "/honest/plain")["class"] = "MixedUp";
    add("needy", bin + "/honest/plain")["needs"] = {"no_such_feature"};
    // A program for each of some instruction sets; the first is wrong.
    add("two", bin + "/honest/plain")["programs"].clear();
    add_program(rows.back(), "float", "sse2", bin + "/wrong/crash");
    add_program(rows.back(), "float", "neon", bin + "/honest/plain");
    add_program(rows.back(), "float", "avx2", bin + "/honest/plain");
    write_text(folder / "manifest.json", manifest_of(rows).dump());
  }

  // `arguments` are words of a shell.
  Outcome check(const std::string& arguments) const {
    return Command({"/bin/sh", "-c",
                    "cd '" + (folder / "").string() + "' && exec '" CHECK_PROGRAM "' " + arguments})
        .wait();
  }
  // Few and small cases, unless the arguments ask for more.
  Outcome quick(const std::string& arguments) const {
    const bool sized = arguments.find("--largest") != std::string::npos;
    return check("zoo " + arguments + (sized ? "" : " --largest 17") + " --manifest manifest.json");
  }
  nlohmann::json json(const char* name = "result.json") const {
    return nlohmann::json::parse(text_of(folder / name));
  }

  const TestFolder folder;
};

}  // namespace nbody::check::test
