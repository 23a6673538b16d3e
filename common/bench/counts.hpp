#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace nbody {

// Flops of an iteration by the file that the count program wrote (NAME_count.json); nothing if
// there is no such file, or if its counts are no polynomial in N.
std::optional<double> counted_flops(const std::filesystem::path& file, std::size_t n,
                                    bool adaptive);

}  // namespace nbody
