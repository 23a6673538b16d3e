#pragma once

#include <filesystem>
#include <string>

#include "bench/result.hpp"

namespace nbody::bench {

// Google Benchmark's JSON with additions: facts about the machine and the programs in `context`,
// and beside `benchmarks` a list `summary` with a row for each of them.
std::string result_json(const BenchResult& result, const std::string& google_json);

// Reads what result_json wrote. Throws InputError.
BenchResult read_result(const std::filesystem::path& file);

}  // namespace nbody::bench
