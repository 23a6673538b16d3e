#pragma once

#include "blocked.hpp"

namespace nbody {

// Exhibit. Eight rows at once instead of four: each load serves twice as many, and the registers
// run out.
class Blocked8 : public RowsAtOnce<8> {
 public:
  using RowsAtOnce::RowsAtOnce;
};

}  // namespace nbody
