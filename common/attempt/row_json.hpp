#pragma once

#include <string>

#include "attempt/plan.hpp"
#include "attempt/trial.hpp"

namespace nbody::attempt {

// What Python writes into a row of the notebook: the columns of docs/file_formats.md, by name.
// Those of the measurement are missing if the program gave no number.
std::string row_json(const Trial& trial, const PlannedAttempt& planned);

}  // namespace nbody::attempt
