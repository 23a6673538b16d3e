#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace nbody::bench {

// Flops per iteration from the count program's file (NAME_count.json); nothing if there is no
// such file, or its counts are not polynomials in N.
std::optional<double> counted_flops(const std::filesystem::path& file, std::size_t n,
                                    bool adaptive);

}  // namespace nbody::bench
