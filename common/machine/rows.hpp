#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "machine/team.hpp"

namespace nbody {

// A row of ceilings.json (docs/file_formats.md) that has not been measured yet.
struct PlannedRow {
  nlohmann::ordered_json row;
  std::function<Rate()> measure;
};

// What the instruction set of this program is measured with, by one thread and by one on each core;
// nothing on a processor without it. `all_levels`: memory behind L1 as well.
std::vector<PlannedRow> planned_rows(bool all_levels, const Budget& budget);

}  // namespace nbody
