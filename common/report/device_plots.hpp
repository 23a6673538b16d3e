#pragma once

#include <vector>

#include "bench/result.hpp"
#include "report/gnuplot.hpp"

namespace nbody {

// Of programs on a GPU: over several block sizes or several degrees of unrolling the rate at each
// N; over several N how much of the device's peak is reached.
std::vector<Picture> device_pictures_of(const BenchResult& result);

}  // namespace nbody
