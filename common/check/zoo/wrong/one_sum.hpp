#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// One float sum a body, as in `plain`; its row promises what such a sum cannot hold.
class OneSum : public Plain {
 public:
  using Plain::Plain;
};

}  // namespace nbody
