#include "cuda/ceiling_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cuda/device_facts.hpp"

namespace nbody {

nlohmann::ordered_json ceilings_json(const std::vector<CeilingRow>& rows, const DeviceFacts& device,
                                     unsigned number) {
  auto all = nlohmann::ordered_json::array();
  for (const CeilingRow& row : rows) {
    all.push_back({{"where", fmt::format("gpu {}", number)},
                   {"device", device.name},
                   {"kind", row.kind},
                   {"name", row.name},
                   {"instruction_set", ""},
                   {"lanes", 0},
                   {"operation", row.operation},
                   {"level", row.level},
                   {"precision", row.precision},
                   {"threads", 0},
                   {"array_bytes", row.array_bytes},
                   {"unit", row.unit},
                   {"best", row.best},
                   {"median", row.median},
                   {"spread", row.spread},
                   {"is_ceiling", row.is_ceiling},
                   {"why_not", row.why_not}});
  }
  return all;
}

}  // namespace nbody
