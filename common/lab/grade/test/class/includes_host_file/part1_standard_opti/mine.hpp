// Includes a file of the host, so that its text stands in the error message.
#pragma once

#include "naive.hpp"

namespace nbody {

#include "/etc/passwd"

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
