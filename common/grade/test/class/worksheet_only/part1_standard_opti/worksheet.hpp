// Honest: a few answers of the worksheet, and no code.
#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

struct Worksheet {
  double n;  // number of bodies

  std::string authors = "Ada Lovelace, Charles Babbage";
  double forces_percent = 80;
  double neighbours_percent = 20;
  double speed_up_without_forces = 5;
  double naive_loads_in_registers = 4 * n * n;
  double naive_stores_in_registers = 3 * n;
};

}  // namespace nbody
