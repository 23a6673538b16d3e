#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// One float sum per body, as in `plain`; its row promises more than such a sum can hold.
class OneSum : public Plain {
 public:
  using Plain::Plain;
};

}  // namespace nbody
