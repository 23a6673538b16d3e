#pragma once

#include <string>

#include "check/manifest.hpp"
#include "check/row.hpp"

namespace nbody::check {

// The result of one checked implementation.
struct CheckResult {
  ImplementationEntry entry;
  std::string skipped;  // the reason; then no rows
  Rows rows;
  std::vector<std::string> left_out = {};  // what was not checked
};

// The row that says most about what is wrong; nullptr if all passed.
const Row* most_informative_row(const Rows& rows);
// Diagnoses do not know which program they are about: "./lab check PART NAME --sanitize ...".
void name_the_program(Rows& rows, const std::string& part_and_name);
// "passed", "FAILED", "skipped: needs gpu", for an exhibit "fails as expected".
std::string verdict_of(const CheckResult& result);
// Passed, skipped, or an exhibit that failed with its expected diagnosis.
bool as_expected(const CheckResult& result);

// What is wrong: the most informative row with its worst body and diagnosis; empty if all passed.
std::string failure_text(const Rows& rows);
// One line per implementation.
std::string summary_text(const std::vector<CheckResult>& results);
std::string json_text(const std::vector<CheckResult>& results, const std::string& tolerance,
                      const std::string& precision, unsigned long long seed);

}  // namespace nbody::check
