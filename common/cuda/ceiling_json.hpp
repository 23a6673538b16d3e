#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cuda/ceiling_row.hpp"

namespace nbody {

// The rows of GPU `number`, as an array.
nlohmann::ordered_json ceilings_json(const std::vector<CeilingRow>& rows, const DeviceFacts& device,
                                     unsigned number);

}  // namespace nbody
