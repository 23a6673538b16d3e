#pragma once

#include <string>

#include "attempt/plan.hpp"
#include "attempt/trial.hpp"

namespace nbody {

// What Python writes into a row of the notebook: columns of docs/file_formats.md, by their names.
// Those of the measurement are missing when the program gave no number.
std::string row_json(const Trial& trial, const PlannedAttempt& planned);

}  // namespace nbody
