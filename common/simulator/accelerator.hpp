#pragma once

#include <string>

namespace nbody {

// What programs for a device of its own can do besides (common/cuda).
struct Accelerator {
  void (*demand)();              // throws InputError with one line where the device is missing
  std::string (*description)();  // for results: its name, clock, the versions of its software
  void (*start_profile)();
  std::string (*profile)(double wall_s);  // a table of what it did since
};

}  // namespace nbody
