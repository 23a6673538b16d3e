#pragma once

#include <string>

#include "work/count.hpp"

namespace nbody::work {

// What the count program prints, and writes with --json (docs: the keys are those of work_classes).
std::string count_text(const CountedImplementation& implementation, const WorkCount& count);
std::string count_json(const CountedImplementation& implementation, const WorkCount& count);

}  // namespace nbody::work
