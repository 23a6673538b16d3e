#pragma once

#include <filesystem>
#include <string>

#include "bench/result.hpp"

namespace nbody {

// Google Benchmark's JSON with what it cannot know: in `context` our own words about the machine
// and the programs, and beside `benchmarks` a list `summary` with a row for each of them.
std::string result_json(const BenchResult& result, const std::string& google_json);

// Reads what result_json wrote, and the files of the lab before it. Throws InputError.
BenchResult read_result(const std::filesystem::path& file);

}  // namespace nbody
