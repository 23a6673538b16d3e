#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "check/manifest.hpp"

namespace nbody::bench {

// A program to be measured: an implementation, for one instruction set if the plan names some.
struct BenchProgram {
  std::string name;  // of the program: direct, or direct_avx2
  check::ImplementationEntry entry;
  std::filesystem::path counts;  // its counts; empty if they are hidden
};

// Those that are built and can run here; the others are named on standard output. Throws
// InputError if none is left.
std::vector<BenchProgram> programs_of(const BenchPlan& plan);

// Flops per iteration from the count program's file (NAME_count.json); nothing if there is no
// such file, or its counts are not polynomials in N.
std::optional<double> counted_flops(const std::filesystem::path& file, std::size_t n,
                                    bool adaptive);

}  // namespace nbody::bench
