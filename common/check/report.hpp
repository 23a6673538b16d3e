#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/manifest.hpp"
#include "check/row.hpp"
#include "check/tolerance.hpp"

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
// The largest error / limit of all rows; infinity for NaN or no answer.
double worst_share(const Rows& rows);

// What is asked of all programs of a check.
struct Asked {
  Tolerance tolerance;
  std::string precision;
  std::uint64_t seed = 1, seeds = 1;
  std::size_t programs = 0;
};

// The result file (docs/file_formats.md), of which ./lab check makes its tables.
std::string result_json(const Asked& asked, const std::vector<CheckResult>& results);

}  // namespace nbody::check
