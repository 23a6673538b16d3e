#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/result.hpp"
#include "report/gnuplot.hpp"

namespace nbody {

// What can be drawn of a result. Always the ladder, under the last setup; over several numbers of
// bodies the time of an iteration and the rate in multiples of the first implementation; over
// several numbers of threads how each of them scales.
std::vector<Picture> pictures_of(const BenchResult& result);

// Draws them into a folder; what to tell about it.
std::string plot_bench(const BenchResult& result, const std::filesystem::path& folder);

}  // namespace nbody
