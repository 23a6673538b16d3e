#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "machine/team.hpp"

namespace nbody::machine {

// A row of ceilings.json (docs/file_formats.md) that has not been measured yet.
struct PlannedRow {
  nlohmann::ordered_json row;
  std::function<Rate()> measure;
};

// The rows of this program's instruction set, for one thread and for one on each core; none on a
// processor without it. `all_levels`: also memory beyond L1.
std::vector<PlannedRow> planned_rows(bool all_levels, const Budget& budget);

}  // namespace nbody::machine
